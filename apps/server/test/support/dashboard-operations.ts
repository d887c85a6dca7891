import { z } from 'zod'
import { dashboardContract } from '../../src/http/dashboard/document.ts'
import { definitions, type OperationId } from '../../src/http/dashboard/registry.ts'
import type { ContractOperation } from '../../src/platform/contract.ts'
import { bodies } from './dashboard-bodies.ts'
import type { OwnedKind } from './tenants.ts'

// The operations of the dashboard, with the parameters that take an id: from their forms, which have all of them.

/** A parameter with an id. `kind` is null for data of all accounts: moves of prices and reports. */
interface IdLocation {
  where: 'path' | 'query' | 'body'
  name: string
  kind: OwnedKind | null
}

export interface DashboardOperation extends ContractOperation<OperationId> {
  /** Whether it needs a signed-in user. */
  takesSession: boolean
  idLocations: IdLocation[]
  /** A body that it takes. */
  example: object | undefined
}

const collections: Record<string, OwnedKind | null> = {
  changes: null,
  sessions: 'session',
  passkeys: 'passkey',
  members: 'member',
  invitations: 'invitation',
  keys: 'key',
  webhooks: 'webhook',
  deliveries: 'delivery',
  holds: null,
  reports: null,
}
const named: Record<string, OwnedKind | null> = {
  account_id: 'account',
  key_id: 'key',
  webhook_id: 'webhook',
}

const exampleBodies: Partial<Record<OperationId, object>> = bodies
/** What a query must have beside ids. */
const exampleQueries: Partial<Record<string, [string, string][]>> = {
  getWatch: [
    ['kind', 'vendor'],
    ['name', 'acme'],
  ],
}

export const dashboardOperations: DashboardOperation[] = dashboardContract().operations.map((operation) => {
  const example = exampleBodies[operation.id]
  const { body } = definitions[operation.id].form
  const inPath = [...operation.path.matchAll(/\/([\w-]+)\/\{(\w+)\}/g)].map(
    ([, collection = '', name = '']): IdLocation => ({
      where: 'path',
      name,
      kind: kindOf(collections, collection, operation.id),
    }),
  )
  const byName = (where: IdLocation['where'], names: Iterable<string>): IdLocation[] =>
    [...names]
      .filter((name) => name === 'id' || name in named || /_ids?$/.test(name))
      .map((name) => ({ where, name, kind: kindOf(named, name, operation.id) }))
  return {
    ...operation,
    takesSession: operation.schemes.includes('session'),
    idLocations: [
      ...inPath,
      ...byName('query', operation.queryTypes.keys()),
      // An event in the form of a payment provider has ids of its own.
      ...(operation.schemes.includes('session')
        ? byName('body', body instanceof z.ZodObject ? Object.keys(body.shape) : [])
        : []),
    ],
    example,
  }
})

function kindOf(kinds: Record<string, OwnedKind | null>, name: string, id: string): OwnedKind | null {
  const kind = kinds[name]
  if (kind === undefined) {
    throw new Error(
      `${id} takes an id of "${name}", which is new: say here whose it is, so that it is tested.`,
    )
  }
  return kind
}

/** A call of the operation as the examples write it, with these ids. */
export function callOf(
  { id, method, path, example, idLocations }: DashboardOperation,
  ids: Partial<Record<OwnedKind, string>> = {},
): { method: string; path: string; body: object | undefined } {
  const idAt = ({ kind, name }: IdLocation) => (kind && ids[kind]) ?? exampleId(name)
  const inside = (where: IdLocation['where']) =>
    idLocations
      .filter((location) => location.where === where)
      .map((location): [string, string] => [location.name, idAt(location)])
  let url = path.replace('/dashboard/api', '')
  for (const [name, id] of inside('path')) url = url.replace(`{${name}}`, encodeURIComponent(id))
  const query = new URLSearchParams([...inside('query'), ...(exampleQueries[id] ?? [])]).toString()
  return {
    method,
    path: query === '' ? url : `${url}?${query}`,
    body: example && { ...example, ...Object.fromEntries(inside('body')) },
  }
}

const exampleIds: Record<string, string> = {
  id: 'key_3kTMd1Yb0sZc9QwErTyU',
  key_id: 'key_3kTMd1Yb0sZc9QwErTyU',
  webhook_id: 'wh_3kTMd1Yb0sZc9QwErTyU',
}

function exampleId(name: string): string {
  return exampleIds[name] ?? 'acct_3kTMd1Yb0sZc9QwErTyU'
}
