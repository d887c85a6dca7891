import { Link } from 'wouter'
import { PageHeader } from '../../components/PageHeader.tsx'

/** For who opens the page of a mailed link without the link. */
export function NoLink({ title, href, action }: { title: string; href: string; action: string }) {
  return (
    <>
      <PageHeader
        title={title}
        about="This page is opened by a link that we mail to you. The address has none."
      />
      <p>
        <Link href={href}>{action}</Link>
      </p>
    </>
  )
}
