import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { OperationId } from '@ratecard/contract'
import { parse } from 'yaml'
import { projectRoot } from './paths.ts'
import { UserError } from './user-error.ts'

/** What the server needs to know of an operation before it may trust a validator with it. */
export interface ContractOperation<Id extends string = OperationId> {
  id: Id
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As the contract writes it, such as `/v1/webhooks/{id}`. */
  path: string
  /** Whether no security scheme guards it. */
  isPublic: boolean
  /** Names of the security schemes that guard it. */
  schemes: readonly string[]
  hasBody: boolean
  /** JSON Schema type of each query parameter. */
  queryTypes: ReadonlyMap<string, string>
}

export interface Contract<Id extends string = OperationId> {
  document: OpenApiDocument
  operations: readonly ContractOperation<Id>[]
}

/** As much of an OpenAPI document as is read here; the validator checks the whole. */
export interface OpenApiDocument {
  openapi: string
  info: { title: string; version: string; description?: string }
  security?: object[]
  paths: Record<string, Record<string, DocumentOperation>>
  components?: { parameters?: Record<string, DocumentParameter>; schemas?: Record<string, DocumentSchema> }
}

interface DocumentOperation {
  operationId: string
  security?: object[]
  parameters?: (DocumentParameter | Reference)[]
  requestBody?: object
  responses?: Record<string, { content?: Record<string, object> }>
}

interface DocumentParameter {
  name: string
  in: 'query' | 'path' | 'header' | 'cookie'
  schema: DocumentSchema | Reference
}

interface DocumentSchema {
  type?: string
}

interface Reference {
  $ref: string
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/** The hand-written file in the repository; where the server is deployed alone, the copy the contract package carries. */
function contractFile(): string {
  const handWritten = `${projectRoot}openapi.yaml`
  return existsSync(handWritten)
    ? handWritten
    : createRequire(import.meta.url).resolve('@ratecard/contract/openapi.yaml')
}

/** @throws UserError with one sentence that says what is wrong with the file */
export async function loadContract(): Promise<Contract> {
  const file = contractFile()
  try {
    const document = parse(await readFile(file, 'utf8')) as OpenApiDocument
    return { document, operations: readOperations(document) }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.trim() : String(cause)
    throw new UserError(`The contract ${file} does not load: ${reason}`, { cause })
  }
}

export function readOperations<Id extends string>(document: OpenApiDocument): ContractOperation<Id>[] {
  // The validator takes 3.1.x only, and reports any other only by failing every request.
  if (typeof document?.openapi !== 'string' || !/^3\.1\.\d+$/.test(document.openapi)) {
    throw new Error(`it must say "openapi: 3.1.1", and says ${JSON.stringify(document?.openapi)}`)
  }
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      if (!operation) return []
      const schemes = (operation.security ?? document.security ?? []).flatMap(Object.keys)
      const queryParameters = (operation.parameters ?? [])
        .map((parameter) => resolve<DocumentParameter>(document, parameter))
        .filter((parameter) => parameter.in === 'query')
      return [
        {
          // The types list the same ids; a test holds the two together.
          id: operation.operationId as Id,
          method: method.toUpperCase() as ContractOperation['method'],
          path,
          isPublic: schemes.length === 0,
          schemes,
          hasBody: operation.requestBody !== undefined,
          queryTypes: new Map(
            queryParameters.map(({ name, schema }) => [
              name,
              resolve<DocumentSchema>(document, schema).type ?? 'string',
            ]),
          ),
        },
      ]
    }),
  )
}

/** What a reference inside the document stands for; anything else is itself. */
export function resolve<T extends object>(document: object, value: T | Reference): T {
  if (!('$ref' in value)) return value
  const found = value.$ref
    .split('/')
    .slice(1)
    .reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], document)
  if (found === undefined) throw new Error(`${value.$ref} leads nowhere`)
  return resolve(document, found as T | Reference)
}
