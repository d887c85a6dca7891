import { Link } from 'wouter'
import { PageHeader } from '../../components/PageHeader.tsx'
import { withNext } from './next.ts'

/** Reads the same for a known and an unknown address. */
export function LinkSent({ title, email }: { title: string; email: string }) {
  return (
    <>
      <PageHeader title={title} />
      <p role="status">
        Check your inbox: if {email} can be used for this, a link is on its way. Where the server has no mail
        set up, the link is in its log.
      </p>
      <p>
        <Link href={withNext('/sign-in')}>Sign in</Link>
      </p>
    </>
  )
}
