import { ApiError } from '@ratecard/contract/errors'
import contract from '@ratecard/contract/interface.json' with { type: 'json' }
import type { Schema } from './schema.ts'
import type { FakeOperation } from './rows.ts'

export interface Route {
  operation: FakeOperation
  method: string
  isPublic: boolean
  path: RegExp
  pathParameters: Record<string, Schema>
  query: Record<string, Schema>
  body?: Schema
}

const routes = contract.map(({ id, path, ...rest }): Route => ({
  ...(rest as unknown as Omit<Route, 'operation' | 'path'>),
  operation: id as FakeOperation,
  path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
}))

export const operations: readonly FakeOperation[] = routes.map(({ operation }) => operation)

/**
 * The operation behind a path and a method; paths are case-sensitive and have no trailing slash.
 * @throws ApiError not_found, method_not_allowed
 */
export function findRoute(method: string, path: string): Route {
  const found = routes.filter((route) => route.path.test(path))
  if (found.length === 0) throw new ApiError('not_found')
  const route = found.find((candidate) => listMethods(candidate).includes(method))
  if (route) return route
  const allowed = found.flatMap(listMethods).join(', ')
  throw new ApiError('method_not_allowed', {
    message: `This path answers ${allowed}, not ${method}.`,
    headers: { Allow: allowed },
  })
}

function listMethods({ method, isPublic }: Route): string[] {
  return isPublic ? [method, 'HEAD'] : [method]
}
