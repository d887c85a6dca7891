import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type RequestHandler } from 'express'
import * as OpenApiValidator from 'express-openapi-validator'
import { UserError } from '../platform/user-error.ts'
import type { Contract } from '../platform/contract.ts'

/** Holds requests, and the successful answers to them, against the contract. */
export function createValidator(contract: Contract<string>): RequestHandler[] {
  return OpenApiValidator.middleware({
    // The validator edits the document it is given.
    apiSpec: structuredClone(contract.document) as never,
    validateRequests: true,
    validateResponses: true,
    validateSecurity: false,
    fileUploader: false,
    ajvFormats: { mode: 'full' },
  }) as RequestHandler[]
}

/**
 * Sends one request per operation through the validator alone. It loads the contract at its first request and
 * compiles each operation at that one's first, and reports any fault of the contract as a 500: better here,
 * before anybody is served.
 * @throws UserError when the contract does not load
 */
export async function warmUp(validator: RequestHandler[], contract: Contract): Promise<void> {
  const app = express()
  const faults: unknown[] = []
  app.use(validator)
  app.use(((error: { status?: number }, _req, res, _next) => {
    if ((error.status ?? 500) >= 500) faults.push(error)
    res.status(204).end()
  }) satisfies express.ErrorRequestHandler)
  app.use((_req, res) => void res.status(204).end())

  // Exclusive: of several processes each asks its own validator.
  const server = createServer(app).listen({ port: 0, host: '127.0.0.1', exclusive: true })
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    for (const { method, path, hasBody } of contract.operations) {
      const url = `http://127.0.0.1:${port}${path.replaceAll(/\{\w+\}/g, 'x')}`
      const body = hasBody ? { body: '{}', headers: { 'content-type': 'application/json' } } : {}
      await (await fetch(url, { method, ...body })).arrayBuffer()
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
  const [fault] = faults
  if (fault !== undefined) {
    const reason = fault instanceof Error ? fault.message : JSON.stringify(fault)
    throw new UserError(`The contract does not load: ${reason}`, { cause: fault })
  }
}
