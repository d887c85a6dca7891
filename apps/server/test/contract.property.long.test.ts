import { METHODS } from 'node:http'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { generateApiKey } from '../src/features/accounts/api-key.ts'
import type { ContractOperation } from '../src/platform/contract.ts'
import { useApi } from './support/api.ts'
import { createCustomer, priceRecord, storePrices } from './support/actors.ts'
import { contractComplaints, type Answer } from './support/contract-check.ts'
import { useDatabase } from './support/postgres.ts'
import { send } from './support/raw-http.ts'
import { changeFile, publish } from './support/fixtures.ts'
import {
  bodySchemaOf,
  invalidBody,
  invalidParameters,
  operations,
  validCase,
  document,
  type Case,
} from './support/contract-requests.ts'

// The checks of Schemathesis, under its names: requests are generated from the schemas of the contract, good ones and
// bad ones. `api.request` checks every answer against the contract (status_code_conformance, content_type_conformance,
// response_headers_conformance, response_schema_conformance).
// To run longer: FUZZ_RUNS=5000.

const runs = Number(process.env.FUZZ_RUNS ?? 80)
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
  return fc.assert(fc.asyncProperty(arbitrary, holds), { numRuns })
}

const messyParts = ['=', '&', '&&', '?', '#', '%', '%0', '%00', '%ff', '%C3%A9', '+', '1', 'true', '[]', '..', '\\', ';'] // prettier-ignore
const refusals = [400, 413, 415]
const byName = operations.map((operation): [string, ContractOperation] => [operation.id, operation])
const guarded = byName.filter(([, operation]) => !operation.isPublic)

describe('the contract holds for any request', () => {
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
