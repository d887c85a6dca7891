import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import fc from 'fast-check'
import { loadContract, type ContractOperation } from '../../src/platform/contract.ts'
import { decodeCursor, encodeCursor } from '../../src/platform/cursor.ts'

// Requests that the contract allows, and requests that it does not, made from its schemas.

// Schemas of the contract

interface Schema {
  $ref?: string
  type?: string
  enum?: unknown[]
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

interface Parameter {
  name: string
  in: string
  schema: Schema
}

export const { document, operations } = await loadContract()
const ajv = new Ajv2020({ strict: false })
;(addFormatsModule as unknown as (instance: Ajv2020) => void)(ajv)

/** A part of the contract with every reference resolved. */
function inline<T>(node: unknown): T {
  if (typeof node !== 'object' || node === null) return node as T
  if ('$ref' in node && typeof node.$ref === 'string') {
    const path = node.$ref.split('/').slice(1)
    return inline(path.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document))
  }
  if (Array.isArray(node)) return node.map((item) => inline<unknown>(item)) as T
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, inline(value)])) as T
}

function parametersOf({ path, method }: ContractOperation): Parameter[] {
  return inline<Parameter[]>(document.paths[path]?.[method.toLowerCase()]?.parameters ?? [])
}

export function bodySchemaOf({ path, method }: ContractOperation): Schema | null {
  const body = inline<{ content?: { 'application/json'?: { schema: Schema } } } | undefined>(
    document.paths[path]?.[method.toLowerCase()]?.requestBody,
  )
  return body?.content?.['application/json']?.schema ?? null
}

const validators = new Map<Schema, ValidateFunction>()
function isValid(schema: Schema, value: unknown): boolean {
  const validate = validators.get(schema) ?? ajv.compile(schema)
  validators.set(schema, validate)
  return validate(value)
}

/** Whether a parameter may have this text. */
function isValidText({ name, schema }: Parameter, text: string): boolean {
  if (text === '' || text.includes('\0')) return false
  if (schema.type === 'integer') return /^[1-9]\d*$/.test(text) && isValid(schema, Number(text))
  if (schema.type === 'boolean') return text === 'true' || text === 'false'
  // The schema cannot say it: a cursor must be one that was issued.
  return isValid(schema, text) && (name !== 'cursor' || decodeCursor(text) !== null)
}

// Values that a schema allows

const instant = fc
  .record({
    date: fc.date({ min: new Date('0002-01-01'), max: new Date('9998-01-01'), noInvalidDate: true }),
    fraction: fc.stringMatching(/^(\.\d{1,12})?$/),
    offset: fc.stringMatching(/^(Z|z|[+-](0\d|1\d|2[0-3]):[0-5]\d)$/),
  })
  .map(({ date, fraction, offset }) => `${date.toISOString().slice(0, 19)}${fraction}${offset}`)

function textOf(schema: Schema): fc.Arbitrary<string> {
  if (schema.enum) return fc.constantFrom(...(schema.enum as string[]))
  if (schema.format === 'date-time') return instant
  if (schema.format === 'uri') {
    return fc
      .webUrl({ validSchemes: ['https'], withQueryParameters: true })
      .filter((url) => URL.canParse(url) && isValid(schema, url))
  }
  const { minLength = 0, maxLength = 300 } = schema
  const size = { minLength, maxLength: Math.min(maxLength, minLength + 40) }
  return fc
    .oneof(
      fc.string({ ...size, unit: 'grapheme-ascii' }),
      fc.string({ ...size, unit: 'binary' }),
      fc.constantFrom('x', '🔑', 'é').map((character) => character.repeat(maxLength)),
      fc.constantFrom('x', '🔑', 'é').map((character) => character.repeat(minLength)),
    )
    .filter((text) => isValid(schema, text))
}

function jsonOf(schema: Schema): fc.Arbitrary<unknown> {
  const {
    type,
    minimum = 0,
    maximum = 1_000,
    items = {},
    properties = {},
    minItems = 0,
    required = [],
  } = schema
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum })
  if (type === 'boolean') return fc.boolean()
  if (type === 'array') {
    return fc
      .array(jsonOf(items), { minLength: minItems, maxLength: 3 })
      .filter((list) => isValid(schema, list))
  }
  if (type === 'object') {
    const members = Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, jsonOf(of)]))
    return fc.record(members, { requiredKeys: required, noNullPrototype: true })
  }
  return textOf(schema)
}

function parameterText({ name, schema }: Parameter): fc.Arbitrary<string> {
  if (name === 'cursor') {
    const id = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 40 })
      .filter((text) => !text.includes('\0'))
    return fc
      .tuple(fc.date({ min: new Date('0001-01-01'), max: new Date('9999-01-01'), noInvalidDate: true }), id)
      .map(([date, of]) => encodeCursor({ updatedAt: date.toISOString().replace('Z', '000Z'), id: of }))
  }
  return jsonOf(schema).map(String)
}

// Requests

export interface Case {
  query: [string, string][]
  path: Record<string, string>
  body?: unknown
}

export function validCase(operation: ContractOperation): fc.Arbitrary<Case> {
  const parameters = parametersOf(operation)
  const values = (location: string) =>
    Object.fromEntries(
      parameters.filter((one) => one.in === location).map((one) => [one.name, parameterText(one)]),
    )
  const body = bodySchemaOf(operation)
  return fc
    .record({
      query: fc
        .record(values('query'), { requiredKeys: [] })
        .map((query) => Object.entries(query) as [string, string][]),
      // A browser's URL parser takes these two away.
      path: fc.record(values('path')).filter((path) => !Object.values(path).some((id) => /^\.\.?$/.test(id))),
      ...(body && { body: jsonOf(body) }),
    })
    .chain((one) =>
      fc.shuffledSubarray(one.query, { minLength: one.query.length }).map((query) => ({ ...one, query })),
    )
}

const oddTexts = [
  ...[
    '',
    '0',
    '-1',
    '+1',
    '01',
    '1.5',
    '1e2',
    '0x10',
    ' 1',
    '1 ',
    'TRUE',
    '1 OR 1=1',
    'null',
    'undefined',
    '[]',
  ],
  ...[
    '\0',
    'a\0b',
    '\n',
    '\x7f',
    '\x85',
    'x'.repeat(257),
    'x'.repeat(2_000),
    '2026-02-30T00:00:00Z',
    '2026-01-01',
  ],
  ...[
    '2026-01-01T00:00:00',
    '2026-01-01T00:00:60Z',
    '0000-01-01T00:00:00Z',
    'W10',
    '501',
    '6',
    '99999999999999999999',
  ],
]

/** A good request with one thing wrong in its query or path. */
export function invalidParameters(operation: ContractOperation): fc.Arbitrary<Case> {
  const parameters = parametersOf(operation)
  const text = fc.oneof(fc.constantFrom(...oddTexts), fc.string({ unit: 'binary' }))
  const unknown = fc
    .string({ unit: 'binary', minLength: 1 })
    .filter((name) => !parameters.some((one) => one.in === 'query' && one.name === name))
  const faults: fc.Arbitrary<(one: Case) => Case>[] = [
    fc.tuple(unknown, fc.string()).map((pair) => (one) => ({ ...one, query: [...one.query, pair] })),
  ]
  for (const parameter of parameters) {
    const { name } = parameter
    const bad = text.filter((value) => !isValidText(parameter, value))
    if (parameter.in === 'path') {
      const segment = bad.filter((value) => value !== '')
      faults.push(segment.map((value) => (one) => ({ ...one, path: { ...one.path, [name]: value } })))
    } else {
      const others = (one: Case) => one.query.filter(([given]) => given !== name)
      faults.push(bad.map((value) => (one) => ({ ...one, query: [...others(one), [name, value]] })))
      const twice = fc.tuple(parameterText(parameter), parameterText(parameter))
      faults.push(
        twice.map((two) => (one) => ({ ...one, query: [...others(one), [name, two[0]], [name, two[1]]] })),
      )
    }
  }
  return fc.tuple(validCase(operation), fc.oneof(...faults)).map(([one, fault]) => fault(one))
}

/** A body that its schema does not allow. */
export function invalidBody(schema: Schema): fc.Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {})
  const good = jsonOf(schema) as fc.Arbitrary<Record<string, unknown>>
  const json = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: 'binary', maxLength: 600 }),
    fc.constantFrom(...oddTexts),
  )
  const anyName = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('__proto__', 'constructor', 'id', 'active'),
  )
  const with_ = (one: object, name: string, value: unknown) =>
    Object.fromEntries([...Object.entries(one).filter(([given]) => given !== name), [name, value]])
  return fc
    .oneof(
      json,
      fc.tuple(good, anyName, json).map(([one, name, value]) => with_(one, name, value)),
      fc.tuple(good, fc.constantFrom(...names), json).map(([one, name, value]) => with_(one, name, value)),
      fc
        .tuple(good, fc.constantFrom(...(schema.required ?? names)))
        .map(([one, name]) => Object.fromEntries(Object.entries(one).filter(([given]) => given !== name))),
    )
    .filter((body) => !isValid(schema, body))
}
