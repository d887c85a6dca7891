import { Link } from 'wouter'
import { PageHeader } from '../../components/PageHeader.tsx'

export interface NoLinkProps {
  title: string
  /** Why there is nothing to fill in. */
  about?: string
  href: string
  action: string
}

const withoutLink = 'This page is opened by a link that we mail to you. The address has none.'

/** For who opens the page of a mailed link without a link that works. */
export function NoLink({ title, about = withoutLink, href, action }: NoLinkProps) {
  return (
    <>
      <PageHeader title={title} about={about} />
      <p>
        <Link href={href}>{action}</Link>
      </p>
    </>
  )
}
