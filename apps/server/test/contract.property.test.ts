import { METHODS } from 'node:http'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { generateApiKey } from '../src/features/accounts/api-key.ts'
import { loadContract, type ContractOperation } from '../src/platform/contract.ts'
import { decodeCursor, encodeCursor } from '../src/platform/cursor.ts'
import { useApi } from './support/api.ts'
import { createCustomer, priceRecord, storePrices } from './support/actors.ts'
import { contractComplaints, type Answer } from './support/contract-check.ts'
import { useDatabase } from './support/postgres.ts'
import { send } from './support/raw-http.ts'
import { changeFile, publish } from './support/fixtures.ts'

// The checks of Schemathesis, under its names: requests are generated from the schemas of the contract, good ones and
// bad ones. `api.request` checks every answer against the contract (status_code_conformance, content_type_conformance,
// response_headers_conformance, response_schema_conformance).
// To repeat a failure: FUZZ_SEED=<the number in the title>; to run longer: FUZZ_RUNS=5000.

const runs = Number(process.env.FUZZ_RUNS ?? 80)
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)
const title = `the contract holds for any request (FUZZ_SEED=${seed} FUZZ_RUNS=${runs})`
const timeoutMs = 60_000 + runs * 500

const database = useDatabase()
const api = useApi(database)
let key: string
beforeAll(async () => {
  await storePrices(database.db, [
    priceRecord({ resource_id: 'acme:a' }),
    priceRecord({ resource_id: 'acme:b' }),
  ])
  await publish(database.db, changeFile({ id: 'a' }), changeFile({ id: 'b', category: 'incident' }))
  key = (await createCustomer(database.db, { plan: 'enterprise' })).key
})

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

const { document, operations } = await loadContract()
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

function bodySchemaOf({ path, method }: ContractOperation): Schema | null {
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

interface Case {
  query: [string, string][]
  path: Record<string, string>
  body?: unknown
}

function validCase(operation: ContractOperation): fc.Arbitrary<Case> {
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
function invalidParameters(operation: ContractOperation): fc.Arbitrary<Case> {
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
function invalidBody(schema: Schema): fc.Arbitrary<unknown> {
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

function call(
  operation: ContractOperation,
  { query, path, body }: Case,
  options: { key?: string; headers?: Record<string, string>; text?: string } = { key },
): Promise<Answer> {
  const target = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  )
  const search = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
  const json = options.text ?? (body === undefined ? undefined : JSON.stringify(body))
  return api.request(target + (search && `?${search}`), {
    method: operation.method,
    ...(options.key !== undefined && { key: options.key }),
    headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...options.headers },
    ...(json !== undefined && { body: json }),
  })
}

function check<T>(
  arbitrary: fc.Arbitrary<T>,
  holds: (value: T) => Promise<void>,
  numRuns = runs,
): Promise<void> {
  return fc.assert(fc.asyncProperty(arbitrary, holds), { seed, numRuns })
}

const messyParts = ['=', '&', '&&', '?', '#', '%', '%0', '%00', '%ff', '%C3%A9', '+', '1', 'true', '[]', '..', '\\', ';'] // prettier-ignore
const refusals = [400, 413, 415]
const byName = operations.map((operation): [string, ContractOperation] => [operation.id, operation])
const guarded = byName.filter(([, operation]) => !operation.isPublic)

describe(title, () => {
  describe.each(byName)('%s', (_id, operation) => {
    const { path, method } = operation
    const hasPathParameter = path.includes('{')

    test(
      'positive_data_acceptance, and with it the five conformances of the answer',
      () =>
        check(validCase(operation), async (one) => {
          const { status, body } = await call(operation, one)
          const accepted = hasPathParameter ? [200, 201, 404] : [200, 201]
          expect(accepted, JSON.stringify(body)).toContain(status)
        }),
      timeoutMs,
    )

    test(
      'negative_data_rejection of parameters',
      () =>
        check(invalidParameters(operation), async (one) => {
          expect(refusals).toContain((await call(operation, one)).status)
        }),
      timeoutMs,
    )

    const bodySchema = bodySchemaOf(operation)
    if (bodySchema) {
      test(
        'negative_data_rejection of bodies',
        async () => {
          const one = { query: [], path: {} }
          await check(
            invalidBody(bodySchema),
            async (body) => {
              expect((await call(operation, { ...one, body })).status).toBe(400)
            },
            runs * 3,
          )
          const noJson = fc.string({ unit: 'binary' }).filter((text) => {
            try {
              return JSON.parse(text) === undefined
            } catch {
              return true
            }
          })
          await check(noJson, async (text) => {
            const { status } = await call(operation, one, { key, text })
            // Without a byte there is no body of a type that could be wrong.
            expect(status).toBe(400)
          })
          const type = fc.stringMatching(/^[a-z]{1,8}\/[a-z+.-]{1,12}(; charset=[a-z0-9-]{1,8})?$/)
          await check(
            type.filter((text) => !text.startsWith('application/json')),
            async (contentType) => {
              const options = { key, text: '{}', headers: { 'content-type': contentType } }
              expect((await call(operation, one, options)).status).toBe(415)
            },
          )
        },
        timeoutMs,
      )
    }

    test(
      'not_a_server_error, on targets that no schema would make up',
      () =>
        check(
          fc.array(
            fc.oneof(
              fc.constantFrom(...messyParts, ...operation.queryTypes.keys()),
              fc.stringMatching(/^[!-~]{0,6}$/),
            ),
          ),
          async (parts) => {
            const target = path.replaceAll(
              /\{\w+\}/g,
              parts.slice(0, 2).join('').replaceAll(/[/?#]/g, '') || 'x',
            )
            const answer = await send(
              api.url,
              `${method} ${target}?${parts.join('')}`,
              `Authorization: Bearer ${key}`,
              'Content-Length: 0',
            )
            expect(answer.status).toBeLessThan(500)
            if (answer.headers.has('x-ratelimit-limit')) {
              expect(contractComplaints(method, target, answer)).toEqual([])
            }
          },
        ),
      timeoutMs,
    )

    test('unsupported_method and allow_header_conformance', async () => {
      const documented = Object.keys(document.paths[path] ?? {}).map((name) => name.toUpperCase())
      const allowed = operation.isPublic ? [...documented, 'HEAD'] : documented
      for (const other of METHODS.filter((name) => name !== 'CONNECT' && !allowed.includes(name))) {
        const { status, headers } = await send(api.url, `${other} ${path.replaceAll(/\{\w+\}/g, 'x')}`)
        expect(status, other).toBe(405)
        expect(headers.get('allow')?.split(', ').toSorted()).toEqual(allowed.toSorted())
      }
    })
  })

  test.each(guarded)(
    'missing_required_header, ignored_auth: %s',
    (_id, operation) => {
      const noKey = fc.constantFrom<{ key?: string; headers?: Record<string, string> }>(
        {},
        { key: '' },
        { key: generateApiKey() },
        { headers: { authorization: 'Basic eDp5' } },
        { headers: { 'x-api-key': 'x', cookie: 'key=x' } },
      )
      const any = fc.oneof(validCase(operation), invalidParameters(operation))
      return check(fc.tuple(any, noKey), async ([one, options]) => {
        const { status, headers } = await call(operation, one, options)
        expect(status).toBe(401)
        expect(headers.get('www-authenticate')).toBe('Bearer')
      })
    },
    timeoutMs,
  )

  test(
    'ensure_resource_availability and use_after_free: what was created is listed, what was deleted is gone',
    async () => {
      const [create, list, remove] = ['createWebhook', 'listWebhooks', 'deleteWebhook'].map((id) =>
        operations.find((operation) => operation.id === id),
      )
      if (!create || !list || !remove) throw new Error('The contract has no webhooks any more.')
      const listed = async (id: string) => {
        const { body } = await call(list, { query: [], path: {} })
        return (body as { data: { id: string }[] }).data.find((webhook) => webhook.id === id)
      }
      await check(
        validCase(create),
        async (one) => {
          const created = (await call(create, one)).body as { data: { id: string } }
          const { id } = created.data
          expect(created.data).toMatchObject({
            url: (one.body as { url: string }).url,
            events: (one.body as { events?: string[] }).events ?? ['change.alert'],
          })
          expect(await listed(id)).toEqual(created.data)
          const gone = { query: [], path: { id } }
          expect((await call(remove, gone)).status).toBe(200)
          expect(await listed(id)).toBeUndefined()
          expect((await call(remove, gone)).status).toBe(404)
        },
        Math.ceil(runs / 2),
      )
    },
    timeoutMs,
  )

  test('not_a_server_error: the log knows of no failure', () => {
    expect(api.log.filter((line) => /"level":[56]0/.test(line))).toEqual([])
    expect(api.log.filter((line) => /"status":5/.test(line))).toEqual([])
  })
})
