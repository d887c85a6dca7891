import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { ApiFailure, call } from '../../api/client.ts'
import { NoLink } from './NoLink.tsx'
import { readToken } from './token.ts'

interface MailedLinkProps {
  kind: Schemas['MailedLinkInput']['kind']
  title: string
  /** Where one asks for another link. */
  href: string
  children: (token: string) => ReactNode
}

/** The page of a mailed link, which says that the link is old or used before anything is typed. */
export function MailedLink({ kind, title, href, children }: MailedLinkProps) {
  const [token] = useState(readToken)
  const { error } = useQuery({
    queryKey: ['mailed-link', kind, token],
    queryFn: () => call('POST /mailed-link-check', { body: { kind, token } }),
    enabled: token !== '',
    staleTime: 'static',
    retry: false,
  })
  if (token === '') return <NoLink title={title} href={href} action="Send me a link" />
  // Whatever else goes wrong is told where the form is sent.
  if (error instanceof ApiFailure && error.code === 'invalid_request')
    return <NoLink title={title} about={error.message} href={href} action="Send another link" />
  return children(token)
}
