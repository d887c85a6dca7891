import type { RequestHandler } from 'express'
import type { Contract, ContractOperation } from '../platform/contract.ts'
import { ApiError } from './errors.ts'

/** A path of the contract with its operations. */
interface Route {
  pattern: RegExp
  parameterNames: string[]
  operations: Map<string, ContractOperation<string>>
}

/**
 * Finds the operation for a request's path and method, exactly as the contract spells them: case-sensitive, no
 * trailing slash. HEAD is answered where no key is needed.
 */
export function findOperation(contract: Contract<string>): RequestHandler {
  const routes = routesOf(contract)
  return (req, res, next) => {
    const route = routes.find(({ pattern }) => pattern.test(req.path))
    if (!route) throw new ApiError('not_found')
    const operation = route.operations.get(req.method)
    if (!operation) {
      const message = `This path answers ${[...route.operations.keys()].join(', ')}, not ${req.method}.`
      throw new ApiError('method_not_allowed', {
        message,
        headers: { Allow: [...route.operations.keys()].join(', ') },
      })
    }
    // The contract has no HEAD; Node sends no body with the answer to one.
    if (req.method === 'HEAD') req.method = 'GET'
    // Of which contract it is knows the router that asked.
    res.locals.operation = operation as ContractOperation
    res.locals.rawPath = rawParameters(route, req.path)
    next()
  }
}

function routesOf({ operations }: Contract<string>): Route[] {
  const byPath = Map.groupBy(operations, (operation) => operation.path)
  return [...byPath].map(([path, ofPath]) => {
    const methods = ofPath.map((operation): [string, ContractOperation<string>] => [
      operation.method,
      operation,
    ])
    const head = ofPath.filter((operation) => operation.isPublic && operation.method === 'GET')
    return {
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
      parameterNames: [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''),
      operations: new Map([
        ...methods,
        ...head.map((operation): [string, ContractOperation<string>] => ['HEAD', operation]),
      ]),
    }
  })
}

/** Path parameters as they stand in the URL, not yet decoded: a broken one is the caller's error, told after the credentials'. */
function rawParameters({ pattern, parameterNames }: Route, path: string): Record<string, string> {
  const values = pattern.exec(path)?.slice(1) ?? []
  return Object.fromEntries(parameterNames.map((name, index) => [name, values[index] ?? '']))
}
