import { Link, useLocation } from 'wouter'
import { useSession } from '../../api/me.ts'
import { PageHeader, type PageHeaderProps } from '../../components/PageHeader.tsx'
import { accountPlaces } from '../../layout/navigation.ts'
import { listRoutes } from '../../routes.ts'
import './account.css'

/** The head of the pages about the account and its members. */
export function AccountHeader(header: PageHeaderProps) {
  const [location] = useLocation()
  const { data: me } = useSession()
  return (
    <>
      <nav className="tabs" aria-label="Account settings">
        {accountPlaces(me ? listRoutes(me) : []).map(({ path, label }) => (
          <Link key={path} href={path} aria-current={location === path ? 'page' : undefined}>
            {label}
          </Link>
        ))}
      </nav>
      <PageHeader {...header} />
    </>
  )
}
