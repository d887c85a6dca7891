import { Link } from 'wouter'
import { PageHeader } from '../components/PageHeader.tsx'

export function NotFoundPage() {
  return (
    <>
      <PageHeader title="There is no such page" />
      <p>
        Go to <Link href="/">the overview</Link>.
      </p>
    </>
  )
}
