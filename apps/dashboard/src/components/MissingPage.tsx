import { Link } from 'wouter'
import { ApiFailure } from '../api/client.ts'
import { PageHeader } from './PageHeader.tsx'
import { EmptyState } from './states.tsx'

/** Whether the server knows no such thing. */
export function isMissing(error: Error | null): boolean {
  return error instanceof ApiFailure && error.code === 'not_found'
}

interface MissingPageProps {
  title: string
  what: string
  why: string
  /** Where to go instead. */
  href: string
  all: string
}

/** In place of the page of something that there is not. */
export function MissingPage({ title, what, why, href, all }: MissingPageProps) {
  return (
    <>
      <PageHeader title={title} />
      <EmptyState title={`There is no such ${what}`}>
        <p>{why}</p>
        <Link className="button" href={href}>
          {all}
        </Link>
      </EmptyState>
    </>
  )
}
