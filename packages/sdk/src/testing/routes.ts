import { Failure } from './failure.ts'
import type { FakeOperation } from './rows.ts'

/** How `GET /v1/usage` counts a request. */
export type MeteredEndpoint = 'prices' | 'changes' | 'webhooks'

export interface Route {
  operation: FakeOperation
  /** Free plans may call it too. */
  isFree: boolean
  isPublic: boolean
  meteredAs: MeteredEndpoint | null
  /** As it stands in the URL, not decoded. */
  rawId: string | null
}

type Entry = Omit<Route, 'rawId'>

const health = { operation: 'getHealth', isFree: true, isPublic: true, meteredAs: null } as const
const paths: [pattern: RegExp, methods: Record<string, Entry>][] = [
  [/^\/health$/, { GET: health, HEAD: health }],
  [/^\/v1\/prices$/, { GET: entry('listPrices', 'prices', true) }],
  [/^\/v1\/changes$/, { GET: entry('listChanges', 'changes') }],
  [/^\/v1\/webhooks$/, { GET: entry('listWebhooks', 'webhooks'), POST: entry('createWebhook', 'webhooks') }],
  [/^\/v1\/webhooks\/([^/]+)$/, { DELETE: entry('deleteWebhook', 'webhooks') }],
  [/^\/v1\/usage$/, { GET: entry('getUsage', null, true) }],
]

/** The names of all operations. */
export const operations: readonly FakeOperation[] = [
  ...new Set(paths.flatMap(([, methods]) => Object.values(methods).map(({ operation }) => operation))),
]

function entry(operation: FakeOperation, meteredAs: MeteredEndpoint | null, isFree = false): Entry {
  return { operation, isFree, isPublic: false, meteredAs }
}

/**
 * The operation behind a path and a method; paths are case-sensitive and have no trailing slash.
 * @throws Failure not_found, method_not_allowed
 */
export function findRoute(method: string, path: string): Route {
  for (const [pattern, methods] of paths) {
    const match = pattern.exec(path)
    if (!match) continue
    const found = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (found) return { ...found, rawId: match[1] ?? null }
    const allowed = Object.keys(methods).join(', ')
    throw new Failure('method_not_allowed', `This path answers ${allowed}, not ${method}.`, {
      Allow: allowed,
    })
  }
  throw new Failure('not_found')
}
