import type { DashboardErrorCode } from '../../src/http/dashboard/errors.ts'
import type { Access } from '../../src/http/dashboard/operation.ts'
import { definitions } from '../../src/http/dashboard/registry.ts'

/** What can become of any request, before the operation begins or when the server fails. */
const common: readonly DashboardErrorCode[] = [
  ...(['invalid_request', 'cross_site', 'payload_too_large', 'unsupported_media_type'] as const),
  ...(['too_many_attempts', 'internal_error', 'service_unavailable'] as const),
]

const ofAccess: Record<Access, readonly DashboardErrorCode[]> = {
  anyone: [],
  person: ['not_signed_in'],
  member: ['not_signed_in', 'no_account', 'other_account'],
  owner: ['not_signed_in', 'no_account', 'other_account', 'owner_only'],
  operator: ['not_signed_in', 'not_found'],
}

const routes = Object.entries(definitions).map(([id, { access, route, form }]) => ({
  id,
  pattern: new RegExp(`^${route.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  codes: [...common, ...ofAccess[access], ...(form.errors ?? [])],
}))

/** @throws Error when an operation answers with an error that its form does not name */
export function requireNamedError(method: string, path: string, code: string): void {
  const called = `${method} ${path.split('?')[0]}`
  const route = routes.find(({ pattern }) => pattern.test(called))
  if (route === undefined || route.codes.includes(code as DashboardErrorCode)) return
  throw new Error(`${route.id} answers ${code}, which its form does not name.`)
}
