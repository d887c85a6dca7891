import { Link } from 'wouter'
import { PageHeader } from '../../components/PageHeader.tsx'
import { withNext } from './next.ts'

/** Reads the same for a known and an unknown address. */
export function LinkSent({ title, email }: { title: string; email: string }) {
  return (
    <>
      <PageHeader title={title} />
      <p role="status">
        Check <strong>{email}</strong> for a link to continue. A server without email writes the link to its
        log.
      </p>
      <p>
        <Link href={withNext('/sign-in')}>Sign in</Link>
      </p>
    </>
  )
}
