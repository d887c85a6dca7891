import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { formProblem } from '@ratecard/contract/input'
import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import * as OpenApiValidator from 'express-openapi-validator'
import type { Contract, OpenApiDocument } from '../../platform/contract.ts'
import { ApiError } from '../pipeline/errors.ts'
import { readQueryText } from '../pipeline/read-input.ts'

// express-openapi-validator, with its options and the workarounds that it needs: docs/decisions/002-validator.md has
// the reasons, line by line.

/** Checks requests against the contract. `answer-check.ts` checks answers. */
export function createValidator({ document }: Contract<string>): RequestHandler {
  const validate = OpenApiValidator.middleware({
    apiSpec: onlyRequests(document) as never,
    validateRequests: true,
    validateResponses: false,
    validateSecurity: false,
    fileUploader: false,
    ajvFormats: { mode: 'full' },
  })
  return express.Router().use(present, ...validate, explain)
}

/**
 * A copy without answers, for the validator edits the document that it is given, and reads the whole of it again for each
 * operation that it compiles.
 */
function onlyRequests(document: OpenApiDocument): object {
  const { paths, components = {}, ...rest } = structuredClone(document)
  for (const operation of Object.values(paths).flatMap(Object.values<object>)) {
    if ('responses' in operation) operation.responses = { default: { description: 'Not checked here.' } }
  }
  return { ...rest, webhooks: {}, paths, components: { ...components, headers: {}, responses: {} } }
}

/** Gives the validator what was read of the request already, in place of what was sent. */
const present: RequestHandler = (req, res, next) => {
  const { operation, query } = res.locals
  // It looks the path up in here, and knows neither the absolute form of a target nor a fragment.
  req.originalUrl = req.path + readQueryText(req)
  // It puts defaults and numbers into this. An own property hides Express's getter, which would read the query anew.
  Object.defineProperty(req, 'query', { value: query, configurable: true, enumerable: true, writable: true })
  // It keeps a compiled schema for every spelling of a media type.
  if (operation.hasBody) req.headers['content-type'] = 'application/json'
  else delete req.headers['content-type']
  next()
}

/** The validator's complaints in our words. */
const explain: ErrorRequestHandler = (error: unknown, _req, _res, next) => {
  const { status, errors } = error as { status?: number; errors?: Complaint[] }
  const isComplaint = status === 400 && errors !== undefined
  next(isComplaint ? new ApiError('invalid_request', { message: describe(errors) }) : error)
}

interface Complaint {
  /** Such as `/query/limit` or `/body/secret`. */
  path: string
  message: string
  /** Such as `pattern.openapi.validation`. */
  errorCode?: string
}

function describe(complaints: readonly Complaint[]): string {
  const sentences = complaints.map(({ path, message, errorCode = '' }) => {
    const [part = '', ...names] = path.split('/').filter(Boolean)
    const what = names.length > 0 ? names.join('.') : `The ${part || 'request'}`
    const form = (['pattern', 'format'] as const).find((keyword) => errorCode.startsWith(`${keyword}.`))
    return `${what} ${form ? formProblem(form, what) : message}.`
  })
  return [...new Set(sentences)].slice(0, 5).join(' ')
}

/**
 * Sends one request per operation through the validator alone. It loads the contract at its first request and compiles
 * each operation at that one's first, and reports any fault of the contract as a 500: better here, before the server
 * listens.
 * @throws what the validator says of a contract that does not load
 */
export async function warmUp(
  validator: RequestHandler,
  operations: Contract<string>['operations'],
): Promise<void> {
  const app = express().use(validator)
  for (const operation of operations) {
    const url = operation.path.replaceAll(/\{\w+\}/g, 'x')
    const req = Object.assign(new IncomingMessage(new Socket()), { method: operation.method, url, body: {} })
    const res = Object.assign(new ServerResponse(req), { locals: { operation, query: {} } })
    const fault = await new Promise<Error | undefined>((resolve) =>
      app(req as never, res as never, (error?: Error | string) => resolve(error as Error | undefined)),
    )
    if (fault !== undefined && !(fault instanceof ApiError)) throw fault
  }
}
