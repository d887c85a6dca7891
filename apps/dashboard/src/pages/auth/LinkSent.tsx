import { Link } from 'wouter'
import { PageHeader } from '../../components/PageHeader.tsx'
import { withNext } from './next.ts'

/** Reads the same for a known and an unknown address. */
export function LinkSent({ title, email }: { title: string; email: string }) {
  return (
    <>
      <PageHeader title={title} />
      <p role="status">
        If there is an account for <strong>{email}</strong>, or one can be made, a link is on its way to it.
        On a server without mail, the link is in its log.
      </p>
      <p>
        <Link href={withNext('/sign-in')}>Sign in</Link>
      </p>
    </>
  )
}
