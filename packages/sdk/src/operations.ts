import type { operations as Contract, paths } from './types.ts'

/** What the contract calls the operations. */
export type OperationId =
  'getHealth' | 'listPrices' | 'listChanges' | 'listWebhooks' | 'createWebhook' | 'deleteWebhook' | 'getUsage'

/** The body of a good answer. */
export type Answer<Id extends OperationId> = Contract[Id]['responses'] extends infer Responses
  ? Responses[keyof Responses & (200 | 201)] extends { content: { 'application/json': infer Body } }
    ? Body
    : never
  : never

/** What a value is, as far as it matters here. */
type Kind = 'array' | 'object' | 'string' | 'boolean'

/** An operation as this client uses it. */
export interface Operation {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  /** What an answer must have for anything of ours to work. The rest is as the server sends it. */
  answer: Readonly<Record<string, Kind>>
  /** Answers without a key. */
  open?: boolean
}

type Method = 'get' | 'post' | 'delete'
type Equal<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

/** Method and path that the contract gives an operation, and fields that its answer has. */
type Agreed<Id extends OperationId> = {
  [Path in keyof paths]: {
    [M in Method]: Equal<paths[Path][M], Contract[Id]> extends true
      ? { path: Path; method: Uppercase<M>; answer: { [Field in keyof Answer<Id>]?: Kind }; open?: boolean }
      : never
  }[Method]
}[keyof paths]

/** All operations. One that the contract does not have, or has elsewhere, does not compile. */
export const operations: Readonly<Record<OperationId, Operation>> = {
  getHealth: { method: 'GET', path: '/health', answer: { status: 'string' }, open: true },
  listPrices: { method: 'GET', path: '/v1/prices', answer: { data: 'array' } },
  listChanges: { method: 'GET', path: '/v1/changes', answer: { data: 'array' } },
  listWebhooks: { method: 'GET', path: '/v1/webhooks', answer: { data: 'array' } },
  createWebhook: { method: 'POST', path: '/v1/webhooks', answer: { data: 'object' } },
  deleteWebhook: { method: 'DELETE', path: '/v1/webhooks/{id}', answer: { success: 'boolean' } },
  getUsage: {
    method: 'GET',
    path: '/v1/usage',
    answer: { daily_quota: 'object', endpoints: 'object', topup: 'object' },
  },
} satisfies { [Id in OperationId]: Agreed<Id> }

/** What is wrong with an answer; undefined when nothing is. */
export function findFlaw(body: unknown, { answer }: Operation): string | undefined {
  if (!isObject(body)) return 'is no JSON object'
  const wrong = Object.entries(answer).find(([name, kind]) => describeKind(body[name]) !== kind)
  return wrong && `has no "${wrong[0]}" (${wrong[1]})`
}

/** Undefined for a text that is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return describeKind(value) === 'object'
}

function describeKind(value: unknown): string {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
}
