import { createRequire } from 'node:module'
import type { OperationId } from '@ratecard/dashboard/contract'
import { at, follow, obj, strings, type Obj } from '../../../../packages/contract/test/document.ts'
import { loadContract, type ContractOperation } from '../../src/platform/contract.ts'
import type { OwnedKind } from './tenants.ts'

// The operations of the dashboard, with the parameters that take an id: from the contract, which has all of them.

const file = createRequire(import.meta.url).resolve('@ratecard/dashboard/openapi.yaml')
const contract = await loadContract<OperationId>(file)
const document = contract.document as unknown as Obj

/** A parameter with an id. `kind` is null for data of all accounts: prices and changes. */
interface IdLocation {
  where: 'path' | 'query' | 'body'
  name: string
  kind: OwnedKind | null
}

export interface DashboardOperation extends ContractOperation<OperationId> {
  /** Whether it needs a signed-in user. */
  takesSession: boolean
  /** Whether the contract knows the answer 429. */
  isLimited: boolean
  idLocations: IdLocation[]
  /** The body of the contract's example. */
  example: Obj | undefined
}

const collections: Record<string, OwnedKind | null> = {
  sessions: 'session',
  passkeys: 'passkey',
  members: 'member',
  invitations: 'invitation',
  keys: 'key',
  webhooks: 'webhook',
  deliveries: 'delivery',
  changes: null,
  holds: null,
}
const named: Record<string, OwnedKind | null> = {
  account_id: 'account',
  key_id: 'key',
  webhook_id: 'webhook',
  resource_id: null,
  model: null,
}

export const dashboardOperations: DashboardOperation[] = contract.operations.map((operation) => {
  const node = at(document, 'paths', operation.path, operation.method.toLowerCase())
  const media = at(node, 'requestBody', 'content', 'application/json')
  const schema = follow(document, { path: [], node: obj(media['schema']) }).node
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
    isLimited: '429' in at(node, 'responses'),
    idLocations: [
      ...inPath,
      ...byName('query', operation.queryTypes.keys()),
      // An event in the form of a payment provider has ids of its own.
      ...(operation.schemes.includes('session')
        ? byName('body', Object.keys(obj(schema['properties'])))
        : []),
    ],
    example: operation.hasBody ? obj(at(media, 'examples', 'usual')['value']) : undefined,
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

/** A call of the operation as the contract's examples write it, with these ids. */
export function callOf(
  { method, path, example, idLocations }: DashboardOperation,
  ids: Partial<Record<OwnedKind, string>> = {},
): { method: string; path: string; body: Obj | undefined } {
  const idAt = ({ kind, name }: IdLocation) => (kind && ids[kind]) ?? exampleId(name)
  const inside = (where: IdLocation['where']) =>
    idLocations
      .filter((location) => location.where === where)
      .map((location): [string, string] => [location.name, idAt(location)])
  let url = path.replace('/dashboard/api', '')
  for (const [name, id] of inside('path')) url = url.replace(`{${name}}`, encodeURIComponent(id))
  const query = new URLSearchParams(inside('query')).toString()
  return {
    method,
    path: query === '' ? url : `${url}?${query}`,
    body: example && { ...example, ...Object.fromEntries(inside('body')) },
  }
}

function exampleId(name: string): string {
  const parameters = Object.values(at(document, 'components', 'parameters')).map(obj)
  const parameter = parameters.find((candidate) => candidate['name'] === name)
  return strings(parameter?.['example'])[0] ?? 'acct_3kTMd1Yb0sZc9QwErTyU'
}
