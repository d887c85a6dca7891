import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import { parse } from 'yaml'

// What openapi.yaml says of an answer. Knows nothing of the fake.

const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void
const contractId = 'contract'

type Node = Record<string, unknown>
const document = parse(readFileSync(new URL('../../../../openapi.yaml', import.meta.url), 'utf8')) as Node
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats(ajv)
ajv.addSchema(document, contractId)

export interface ContractOperation {
  id: string
  method: string
  path: string
}

export const operations: ContractOperation[] = Object.entries(document.paths as Node).flatMap(
  ([path, item]) =>
    Object.entries(item as Node).map(([method, operation]) => ({
      id: (operation as { operationId: string }).operationId,
      method: method.toUpperCase(),
      path,
    })),
)

/** Every code the contract knows. */
export const errorCodes = at('#/components/schemas/ErrorCode').enum as string[]

/** What is wrong with an answer to a request of an operation. */
export async function complaints(
  { id, method, path }: ContractOperation,
  response: Response,
): Promise<string[]> {
  const pointer = `#/paths/${escape(path)}/${method.toLowerCase()}/responses/${response.status}`
  const documented = at(pointer, false)
  if (!documented) return [`${id} does not document ${response.status}`]
  const { headers = {}, content = {} } = documented as { headers?: Node; content?: Node }
  return [
    ...Object.entries(headers).flatMap(([name, header]) =>
      headerComplaints(name, follow(header as Node), response),
    ),
    ...(await bodyComplaints(content, response)),
  ]
}

/** What is wrong with a value that should be one of the named component. */
export function schemaComplaints(name: string, value: unknown): string[] {
  const validate = ajv.getSchema(`${contractId}#/components/schemas/${name}`)
  if (!validate) throw new Error(`The contract has no schema ${name}.`)
  return validate(value) ? [] : [`${name}: ${ajv.errorsText(validate.errors)}`]
}

function headerComplaints(name: string, header: Node, response: Response): string[] {
  const text = response.headers.get(name)
  if (text === null) return header.required === true ? [`${name} is missing`] : []
  const schema = follow(header.schema as Node)
  const value = schema.type === 'integer' && /^\d+$/.test(text) ? Number(text) : text
  const validate = ajv.compile(schema)
  return validate(value) ? [] : [`${name}: ${ajv.errorsText(validate.errors)}`]
}

async function bodyComplaints(content: Node, response: Response): Promise<string[]> {
  const type = response.headers.get('content-type')?.split(';')[0] ?? 'none'
  const media = content[type] as { schema: { $ref: string } } | undefined
  if (!media) return [`a body of type ${type}`]
  return schemaComplaints(media.schema.$ref.split('/').at(-1) ?? '', await response.json())
}

function follow(node: Node): Node {
  return typeof node.$ref === 'string' ? at(node.$ref) : node
}

function at(pointer: string, isNeeded = true): Node {
  const names = pointer
    .slice(2)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const found = names.reduce<unknown>((node, name) => (node as Node | undefined)?.[name], document)
  if (found === undefined && isNeeded) throw new Error(`${pointer} leads nowhere.`)
  return found === undefined ? (undefined as unknown as Node) : follow(found as Node)
}

function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
