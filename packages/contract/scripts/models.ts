import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'

// TypeScript for people, from the contract: one declaration each, with what the contract says of each field.

interface Schema {
  $ref?: string
  description?: string
  type?: string | string[]
  const?: unknown
  enum?: string[]
  /** Of an open list all of today's. */
  examples?: string[]
  default?: unknown
  format?: string
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
}

interface Parameter {
  $ref?: string
  name: string
  description: string
  schema: Schema
}

interface Contract {
  paths: Record<string, Record<string, { operationId: string; parameters?: Parameter[] }>>
  webhooks: Record<string, { post: { requestBody: { content: { 'application/json': { schema: Schema } } } } }>
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> }
}

/** What a declaration says otherwise than the contract: it knows names where the contract has a plain string. */
interface Style {
  /** Names of open lists, by the schema's field that has the values. */
  openLists: Record<string, string>
  /** How an open list is written. */
  open: (values: string) => string
  /** How the values are written that the contract closes. Those of an answer may be more one day. */
  closed: (values: string) => string
  /** Fields that have the values of another one: `Change.modality` those of `Price.modality`. */
  like?: Record<string, string>
}

export const contract = parse(
  await readFile(new URL('../../../openapi.yaml', import.meta.url), 'utf8'),
) as Contract

const { schemas, parameters } = contract.components
const widthMax = 116

/** Schemas as interfaces and types, by the names of the contract. */
export class Models {
  readonly #style: Style
  readonly #names: string[]

  /** @param names the schemas that are declared; what another one refers to is written in place */
  constructor(names: string[], style: Style) {
    this.#names = names
    this.#style = style
  }

  /** All of them, and the open lists. */
  declarations(): string[] {
    const lists = Object.entries(this.#style.openLists).map(([name, field]) => {
      const [of = '', property = ''] = field.split('.')
      const { description, examples = [] } = schemas[of]?.properties?.[property] ?? {}
      return `${comment(description)}${alias(name, this.#style.open(union(examples)))}`
    })
    return [...lists, ...this.#names.map((name) => this.#declare(name))]
  }

  /** An interface of what a caller gives: nothing is open, and lists are read only. */
  input(name: string, schema: Schema): string {
    return this.#interface(name, schemas[schema.$ref ?? name] ?? schema, true)
  }

  /** The query of an operation, in camel case. `own`: what our parameter says otherwise. */
  query(name: string, operationId: string, description: string, own: Record<string, Schema>): string {
    const operation = Object.values(contract.paths)
      .flatMap((methods) => Object.values(methods))
      .find((one) => one.operationId === operationId)
    const properties = (operation?.parameters ?? []).map((one) => {
      const { name, description, schema } = parameters[last(one.$ref)] ?? one
      // How it is written into an address is our work.
      const told = description.replace(/\s(Digits only|Exactly\s`true` or `false`)\.\s*$/, '')
      return [camel(name), own[name] ?? { ...follow(schema), description: told, default: undefined }] as const
    })
    const schema = { description, properties: Object.fromEntries(properties), required: [] }
    return this.#interface(name, schema, true)
  }

  /** The values that a field has in these schemas. */
  listValues(names: string[], field: string): unknown[] {
    return names.flatMap((name) => {
      const { const: only, enum: values } = follow(schemas[name]?.properties?.[field] ?? {})
      return values ?? [only]
    })
  }

  #declare(name: string): string {
    const schema = schemas[name]!
    if (schema.properties) return this.#interface(name, schema, false)
    return `${comment(schema.description)}${alias(name, this.#scalar(schema, name === 'WebhookEvent'))}`
  }

  #interface(name: string, schema: Schema, isInput: boolean): string {
    const { properties = {}, required = [], additionalProperties } = schema
    const fields = Object.entries(properties).map(([property, field]) => {
      const isOptional = !required.includes(property)
      const type = this.#typeOf(field, `${name}.${property}`, isInput)
      const told = comment(tell(field), '  ')
      return `${told}  ${property}${isOptional ? '?' : ''}: ${type}${isOptional ? ' | undefined' : ''}\n`
    })
    // The one form that is open counts requests by endpoint.
    const others = typeof additionalProperties === 'object' ? '  [endpoint: string]: number\n' : ''
    return `${comment(schema.description)}export interface ${name} {\n${fields.join('')}${others}}\n`
  }

  #typeOf(schema: Schema, field: string, isInput: boolean): string {
    const { openLists, like = {} } = this.#style
    const list = Object.entries(openLists).find(([, one]) => one === (like[field] ?? field))
    const isNullable = schema.type?.includes('null') ?? false
    const type = list ? list[0] : this.#plain(schema, field, isInput)
    return isNullable ? `${type} | null` : type
  }

  #plain(schema: Schema, field: string, isInput: boolean): string {
    const name = last(schema.$ref)
    if (this.#names.includes(name)) return name
    if (name !== '') return this.#plain(schemas[name]!, field, isInput)
    if (schema.items) {
      const item = this.#plain(schema.items, field, isInput)
      const isList = !isInput && schemas[item]?.enum !== undefined
      return `${isInput ? 'readonly ' : ''}${isList ? this.#style.closed(item) : item}[]`
    }
    return this.#scalar(schema, isInput)
  }

  #scalar({ const: only, enum: values, type }: Schema, isClosed: boolean): string {
    if (typeof only === 'string') values = [only]
    else if (only !== undefined) return JSON.stringify(only)
    if (values) return isClosed ? union(values) : this.#style.closed(union(values))
    const [plain = ''] = [type ?? ''].flat().filter((one) => one !== 'null')
    return plain === 'integer' ? 'number' : plain
  }
}

/** On a line of its own each, where one line is too short for all. */
function union(values: readonly string[]): string {
  const texts = values.map((value) => `'${value}'`)
  const line = texts.join(' | ')
  return line.length < 70 ? line : `\n  | ${texts.join('\n  | ')}\n`
}

const alias = (name: string, type: string) =>
  `export type ${name} =${type.startsWith('\n') ? '' : ' '}${type}\n`
const last = (ref = '') => ref.split('/').pop() ?? ''
const camel = (name: string) => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())

function follow(schema: Schema): Schema {
  const { $ref, ...own } = schema
  return $ref === undefined ? schema : { ...follow(schemas[last($ref)]!), ...own }
}

/** What the contract says of a field, with the form of an instant and what holds where it is left out. */
function tell(schema: Schema): string {
  const { description = '', default: other } = schema
  const form = schema.$ref === undefined ? undefined : schemas[last(schema.$ref)]
  const parts = [description || form?.description]
  if (description && form?.format !== undefined) parts.push(form.description)
  if (other !== undefined) parts.push(`Default: \`${JSON.stringify(other).replaceAll('"', "'")}\`.`)
  return parts.map((part) => part?.trim()).join(' ')
}

function comment(text = '', indent = ''): string {
  const words = text.trim().split(/\s+/)
  const lines: string[] = []
  for (const word of words) {
    const line = lines.at(-1)
    if (line !== undefined && `${indent} * ${line} ${word}`.length <= widthMax)
      lines.push(`${lines.pop()!} ${word}`)
    else lines.push(word)
  }
  if (text.trim() === '') return ''
  if (lines.length === 1) return `${indent}/** ${lines[0]!} */\n`
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */\n`].join('\n')
}
