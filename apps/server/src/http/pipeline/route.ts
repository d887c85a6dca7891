import type { RequestHandler } from 'express'
import type { Contract, ContractOperation } from '../../platform/contract.ts'
import { ApiError } from './errors.ts'

/** A path of the contract with its operations, by method. */
interface Route {
  pattern: RegExp
  operations: Map<string, ContractOperation<string>>
}

/**
 * Finds the operation for a request's path and method, exactly as the contract spells them: case-sensitive, no
 * trailing slash. HEAD is answered where no key is needed.
 */
export function findOperation(contract: Contract<string>): RequestHandler {
  const routes = buildRoutes(contract)
  return (req, res, next) => {
    const route = routes.find(({ pattern }) => pattern.test(req.path))
    if (!route) throw new ApiError('not_found')
    const operation = route.operations.get(req.method)
    if (!operation) {
      const allowed = [...route.operations.keys()].join(', ')
      const message = `This path answers ${allowed}, not ${req.method}.`
      throw new ApiError('method_not_allowed', { message, headers: { Allow: allowed } })
    }
    // The contract has no HEAD; Node sends no body with the answer to one.
    if (req.method === 'HEAD') req.method = 'GET'
    // The router that asked knows to which contract it belongs.
    res.locals.operation = operation as ContractOperation
    // Not decoded yet: a broken one is the caller's error, reported after the credentials'.
    res.locals.rawPath = { ...route.pattern.exec(req.path)?.groups }
    next()
  }
}

function buildRoutes({ operations }: Contract<string>): Route[] {
  return [...Map.groupBy(operations, ({ path }) => path)].map(([path, ofPath]) => {
    const byMethod = new Map<string, ContractOperation<string>>(ofPath.map((one) => [one.method, one]))
    const get = byMethod.get('GET')
    if (get?.isPublic) byMethod.set('HEAD', get)
    const pattern = path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
    return { pattern: new RegExp(`^${pattern}$`), operations: byMethod }
  })
}
