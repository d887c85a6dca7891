import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import { loadContract } from '../../src/platform/contract.ts'

// A second opinion on every answer, 5xx and headers included: the server's own validator looks at neither.

const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void

const { document, operations } = await loadContract()
const ajv = new Ajv2020({ allErrors: true, strict: false })
addFormats(ajv)
ajv.addSchema(document, 'contract')

interface ResponseObject {
  headers?: Record<string, object>
  content?: Record<string, { schema: object }>
}

/** An answer as a client sees it. */
export interface Answer {
  status: number
  headers: Headers
  /** The parsed body; undefined when there was none. */
  body: unknown
}

/** Complaints about an answer of an operation, by the names that Schemathesis gives its checks. */
export function contractComplaints(method: string, path: string, answer: Answer): string[] {
  const operation = operations.find(
    (candidate) => candidate.method === method && matches(candidate.path, path),
  )
  if (!operation) return []
  const pointer = ['paths', operation.path, method.toLowerCase(), 'responses', String(answer.status)]
  const found = dereference(pointer)
  if (!found) return [`status_code_conformance: ${operation.id} does not document ${answer.status}`]
  const response = found.value as ResponseObject
  return [
    ...contentComplaints(response, found.pointer, answer),
    ...headerComplaints(response, found.pointer, answer.headers),
  ]
}

function contentComplaints(response: ResponseObject, pointer: string[], { headers, body }: Answer): string[] {
  const type = headers.get('content-type')?.split(';')[0]
  if (!type || !response.content?.[type]) return [`content_type_conformance: ${type ?? 'none'}`]
  const validate = validatorAt([...pointer, 'content', type, 'schema'])
  return validate(body) ? [] : [`response_schema_conformance: ${ajv.errorsText(validate.errors)}`]
}

function headerComplaints(response: ResponseObject, pointer: string[], headers: Headers): string[] {
  return Object.keys(response.headers ?? {}).flatMap((name) => {
    const found = dereference([...pointer, 'headers', name])
    if (!found) return [`response_headers_conformance: ${name} leads nowhere`]
    const { required, schema } = found.value as {
      required?: boolean
      schema: { type?: string; $ref?: string }
    }
    const text = headers.get(name)
    if (text === null) return required ? [`response_headers_conformance: ${name} is missing`] : []
    const type = (
      schema.$ref ? (dereference(schema.$ref.split('/').slice(1))?.value as { type?: string }) : schema
    ).type
    const value = type === 'integer' ? (/^\d+$/.test(text) ? Number(text) : text) : text
    const validate = validatorAt([...found.pointer, 'schema'])
    return validate(value)
      ? []
      : [`response_headers_conformance: ${name}: ${ajv.errorsText(validate.errors)}`]
  })
}

/** The value at a pointer of the contract, and its own pointer: a reference is followed. */
function dereference(pointer: string[]): { value: object; pointer: string[] } | undefined {
  const value = pointer.reduce<unknown>(
    (node, name) => (node as Record<string, unknown> | undefined)?.[name],
    document,
  )
  if (typeof value !== 'object' || value === null) return undefined
  if ('$ref' in value && typeof value.$ref === 'string') return dereference(value.$ref.split('/').slice(1))
  return { value, pointer }
}

function validatorAt(pointer: string[]): ValidateFunction {
  const escaped = pointer.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')))
  const validate = ajv.getSchema(`contract#/${escaped.join('/')}`)
  if (!validate) throw new Error(`The contract has no schema at ${pointer.join('/')}.`)
  return validate as ValidateFunction
}

function matches(template: string, path: string): boolean {
  return new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)
}
