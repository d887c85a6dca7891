import { useEffect, type ReactNode } from 'react'

export interface PageHeaderProps {
  title: string
  about?: string | undefined
  children?: ReactNode
}

/** The head of every page. It also sets the title of the browser's tab. */
export function PageHeader({ title, about, children }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · Ratecard`
  }, [title])
  return (
    <header className="page-header">
      <div>
        <h1>{title}</h1>
        {about && <p>{about}</p>}
      </div>
      {children && <div className="row">{children}</div>}
    </header>
  )
}
