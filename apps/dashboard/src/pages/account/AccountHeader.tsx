import { Link, useLocation } from 'wouter'
import { PageHeader, type PageHeaderProps } from '../../components/PageHeader.tsx'
import './account.css'

const sections = [
  { path: '/account', label: 'Account' },
  { path: '/account/members', label: 'Members' },
  { path: '/account/sessions', label: 'Signing in' },
  { path: '/account/audit-log', label: 'Audit log' },
]

/** The head of the four pages about the account and its members. */
export function AccountHeader(header: PageHeaderProps) {
  const [location] = useLocation()
  return (
    <>
      <nav className="places" aria-label="Account">
        {sections.map(({ path, label }) => (
          <Link key={path} href={path} aria-current={location === path ? 'page' : undefined}>
            {label}
          </Link>
        ))}
      </nav>
      <PageHeader {...header} />
    </>
  )
}
