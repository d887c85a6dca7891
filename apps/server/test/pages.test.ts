import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { plans } from '../src/features/entitlements/plans.ts'
import { loadContract, type OpenApiDocument } from '../src/platform/contract.ts'
import { createValidator, warmUp } from '../src/http/contract/validator.ts'
import { useApi } from './support/api.ts'
import type { Answer } from './support/contract-check.ts'
import { useDatabase } from './support/postgres.ts'
import { send } from './support/raw-http.ts'
import { changeFile, publish } from './support/fixtures.ts'

const database = useDatabase()
const api = useApi(database, { env: { PUBLIC_URL: 'https://prices.example/' } })
const plain = useApi(database)
const away = useApi(database, { databaseUrl: () => 'postgres://nobody@127.0.0.1:1/nothing' })

const hostile = `<script>alert(1)</script><img src=x onerror="alert('2')">&amp;`
beforeAll(async () => {
  await publish(
    database.db,
    changeFile({
      id: 'plain',
      title: 'Alpha is cheaper',
      source_url: 'https://acme.example/news?a=1&b=2',
      status: 'in_effect',
      effective_time: '2026-11-18',
      verified: true,
      diff_before: '{"secret":"detail"}',
      impact_notes: 'a detail',
    }),
    changeFile({
      id: 'hostile',
      vendor: hostile,
      product: hostile,
      modality: '<b>',
      category: '<i>x</i>',
      status: '<u>x</u>',
      title: hostile,
      summary: hostile,
      source_url: `https://acme.example/?"onmouseover='alert(3)'<script>`,
    }),
  )
})

const text = async (path: string, server = api) => (await server.request(path)).body as string

/** Addresses that a page makes a browser fetch or offers to follow. */
function linksOf(html: string): string[] {
  return [...html.matchAll(/\s(?:href|src|action)="([^"]*)"/g)].map((match) => match[1] ?? '')
}

function expectSafePage({ headers, body }: Answer): void {
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.has('x-powered-by')).toBe(false)
  expect(headers.has('set-cookie')).toBe(false)
  const policy = new Map(
    (headers.get('content-security-policy') ?? '').split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(' ')
      return [name, sources]
    }),
  )
  expect(policy.get('default-src')).toEqual(["'none'"])
  expect(policy.get('frame-ancestors')).toEqual(["'none'"])
  expect(policy.get('base-uri')).toEqual(["'none'"])
  expect(policy.get('script-src') ?? []).not.toContain("'unsafe-inline'")
  expect(policy.get('script-src') ?? []).not.toContain("'unsafe-eval'")
  // No directive lets a browser ask another host.
  for (const source of [...policy.values()].flat())
    expect(source).toMatch(/^('[a-z-]+'|'sha256-[\w+/=]+'|data:)$/)
  const html = body as string
  expect(html).toMatch(/^<!doctype html>/)
  expect(html).not.toMatch(/<script(?![^>]*(\ssrc=|type="application\/ld\+json"))/)
  expect(html).not.toMatch(/\son\w+="/)
}

describe('every page', () => {
  test.each(['/', '/plans', '/docs/', '/changes/plain', '/changes/hostile', '/changes/unknown'])(
    '%s is safe, and leads to our own addresses',
    async (path) => {
      const answer = await api.request(path)
      expectSafePage(answer)
      for (const link of linksOf(answer.body as string)) {
        if (!/^https:\/\/(acme|prices)\.example/.test(link)) expect(link).not.toMatch(/^(\w+:)?\/\//)
      }
    },
  )

  test.each(['/', '/plans', '/changes/plain', '/docs/'])('%s: what it links to is there', async (path) => {
    for (const link of linksOf(await text(path))) {
      if (link.startsWith('https://')) continue
      const { pathname } = new URL(link.replaceAll('&#39;', "'"), `${api.url}${path}`)
      // Of the dashboard, which is built for its own tests.
      if (pathname.startsWith('/dashboard')) continue
      expect((await api.request(pathname)).status, pathname).toBe(200)
    }
  })

  test('is readable by a browser without a key, HEAD included', async () => {
    for (const path of ['/', '/plans', '/docs/', '/openapi.json']) {
      expect((await send(api.url, `HEAD ${path}`)).status).toBe(200)
    }
  })

  test.each([
    '/Plans',
    '/prices',
    '/changes/a/b',
    '/Docs/',
    '/docs/nothing',
    '/docs/package.json',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/openapi.yml',
    '/assets/',
    '/index.html',
  ])(
    // prettier-ignore
    '%s is not one: 404 as everywhere',
    async (path) => {
      const { status, body } = await send(api.url, `GET ${path}`)
      expect({ status, body }).toMatchObject({ status: 404, body: { error: 'not_found', status: 404 } })
    },
  )

  test('is not written to', async () => {
    for (const path of ['/', '/plans', '/openapi.json', '/docs/', '/changes/plain']) {
      const { status, body } = await api.request(path, { method: 'POST' })
      expect({ status, body }).toMatchObject({ status: 404, body: { error: 'not_found' } })
    }
  })
})

describe('/plans', () => {
  test('has the numbers of the interface and those of this installation', async () => {
    const cells = (await text('/plans'))
      .replaceAll(/<[^>]+>/g, '|')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/[ |]*\|[ |]*/g, '|')
    const card = (name: string) => cells.split(`|${name}|`)[1]!.split('signed, with retries')[0]!
    expect(card('Free')).toMatch(/\|\$0\|forever\|.*\|100\|requests a day per key\|2\|keys/)
    expect(card('Free')).toContain('|No webhooks|')
    expect(card('Developer')).toMatch(/\|\$39\|a month\|.*\|10,000\|.*\|10\|keys.*\|2 active webhooks\|/)
    expect(plans.team).toEqual(plans.scale)
    expect(card('Scale and Team')).toMatch(/\|On request\|.*\|100,000\|.*\|10\|keys.*\|Unlimited webhooks\|/)
    expect(card('Enterprise')).toMatch(/\|On request\|.*\|1,000,000\|.*\|Unlimited webhooks\|/)
    expect(cells).toContain('$5 for 50,000 requests, valid for 30 days')
  })
})

describe('/changes/<id>', () => {
  test('shows what a summary shows, and nothing that one pays for', async () => {
    const { status, body } = await api.request('/changes/plain')
    const html = body as string
    expect(status).toBe(200)
    expect(html).toContain('<title>Alpha is cheaper · Ratecard</title>')
    expect(html).toContain('Input tokens fall from 0.25 to 0.20 USD.')
    expect(html).toContain('href="https://acme.example/news?a=1&#38;b=2"')
    expect(html).toContain('2026-11-18')
    expect(html).not.toMatch(/secret|a detail/)
  })

  test('escapes whatever was published', async () => {
    const html = await text('/changes/hostile')
    expect(html).toContain('&#60;script&#62;alert(1)&#60;/script&#62;')
    // What search engines read is data; no character in it can end it.
    const data = /<script type="application\/ld\+json">([^<]*)<\/script>/
    expect(html).toMatch(data)
    const own = /<script src="\/assets\/site\.\w+\.js" defer><\/script>/
    expect(html).toMatch(own)
    const shown = html.replace(data, '').replace(own, '')
    for (const raw of ['<script', '<img', '<b>', '<i>', '<u>', 'onerror="', `onmouseover='`]) {
      expect(shown).not.toContain(raw)
    }
  })

  test.each([
    ...[
      'unknown',
      '%3Cscript%3Ealert(1)%3C%2Fscript%3E',
      "'%20or%20'1'%3D'1",
      '..',
      '%2e%2e%2f',
      'a%00b',
      '%00',
    ],
    ...['%F0%9F%94%91', 'x'.repeat(5_000), '__proto__', 'Plain'],
  ])('404 as a page for %s', async (id) => {
    const answer = await send(api.url, `GET /changes/${id}`)
    if (id === '..') return expect(answer.status).toBe(404)
    expect(answer.status).toBe(404)
    expectSafePage({ ...answer, body: answer.text })
    expect(answer.text).not.toContain('alert')
  })

  test.each(['%zz', '%', '%ff', '%ED%A0%80'])('400 for an id that is no text: %s', async (id) => {
    const { status, body } = await send(api.url, `GET /changes/${id}`)
    expect({ status, body }).toMatchObject({ status: 400, body: { error: 'invalid_request', status: 400 } })
  })

  test('503 while the database is away; the other pages are there', async () => {
    const { status, body, headers } = await away.request('/changes/plain')
    expect({ status, body }).toMatchObject({ status: 503, body: { error: 'service_unavailable' } })
    expect(headers.get('retry-after')).toMatch(/^[1-5]$/)
    for (const path of ['/', '/plans', '/docs/', '/openapi.json']) {
      expect((await away.request(path)).status).toBe(200)
    }
  })
})

describe('/docs', () => {
  test('leads to /docs/, which has every operation, parameter and answer of the contract', async () => {
    const { status, headers } = await send(api.url, 'GET /docs')
    expect([status, headers.get('location')]).toEqual([308, '/docs/'])
    const page = await text('/docs/')
    const { document, operations } = await loadContract()
    expect(operations.filter(({ id }) => !page.includes(`id="${id}"`))).toEqual([])
    const parameters = Object.values(document.components?.parameters ?? {})
    expect(parameters.filter(({ name }) => !page.includes(`<code>${name}</code>`))).toEqual([])
    expect(page).toContain('curl &#34;https://prices.example/v1/prices&#34;')
    // An example's cursor or filter finds nothing: no field of "Try it" is filled in.
    expect(page).not.toMatch(/<input[^>]* value=/)
  })

  test('names files of ours, whose script may ask the API', async () => {
    const { body, headers } = await api.request('/docs/')
    expect(headers.get('content-security-policy')).toContain("connect-src 'self'")
    const files = [...(body as string).matchAll(/"(\/assets\/reference\.[^"]+)"/g)].map(([, path]) => path!)
    expect(files).toHaveLength(2)
    for (const path of files) expect((await api.request(path)).status).toBe(200)
  })
})

describe('the contract as data', () => {
  test('/openapi.json and /openapi.yaml are the contract with this server filled in', async () => {
    const { document } = await loadContract()
    const json = await api.request('/openapi.json')
    expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(json.body).toEqual({ ...document, servers: [{ url: 'https://prices.example' }] })
    const yaml = await api.request('/openapi.yaml')
    expect(yaml.headers.get('content-type')).toMatch(/^application\/yaml/)
    expect(parse(yaml.body as string)).toEqual(json.body)
  })

  test('unless it is told otherwise, the server is where it listens', async () => {
    const { body } = await plain.request('/openapi.json')
    const { port } = new URL(plain.url)
    expect(body).toMatchObject({ servers: [{ url: `http://localhost:${port}` }] })
  })

  test('what is served is a valid OpenAPI document: a validator loads it, and every reference leads somewhere', async () => {
    const document = (await api.request('/openapi.json')).body as OpenApiDocument
    const contract = { ...(await loadContract()), document }
    await warmUp(createValidator(contract), contract.operations)
    for (const [, reference = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const found = reference
        .split('/')
        .reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], document)
      expect(found, reference).toBeTypeOf('object')
    }
  })
})

describe('the router answers the paths of the contract and no other', () => {
  test('each documented method is answered, each other one is 405 with the documented ones in Allow', async () => {
    const { document } = await loadContract()
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE']
    for (const [path, item] of Object.entries(document.paths)) {
      const documented = methods.filter((method) => method.toLowerCase() in item)
      const allowed = path === '/health' ? [...documented, 'HEAD'] : documented
      for (const method of methods) {
        const { status, headers } = await send(api.url, `${method} ${path.replaceAll(/\{\w+\}/g, 'x')}`)
        if (allowed.includes(method)) {
          expect([200, 401], `${method} ${path}`).toContain(status)
        } else {
          expect(status, `${method} ${path}`).toBe(405)
          expect(headers.get('allow')).toBe(allowed.join(', '))
        }
      }
    }
  })

  test('paths beside it are 404, with and without a key', async () => {
    const { operations } = await loadContract()
    const known = new Set(operations.map((operation) => operation.path))
    const words = [
      'prices',
      'changes',
      'webhooks',
      'usage',
      'keys',
      'accounts',
      'packs',
      'subscriptions',
      'admin',
    ]
    for (const prefix of ['', '/v1', '/v2', '/api', '/v1/prices', '/v1/changes', '/internal']) {
      for (const word of words) {
        const path = `${prefix}/${word}`
        if (known.has(path) || path === '/changes') continue
        expect((await send(api.url, `GET ${path}`)).status, path).toBe(404)
        expect((await send(api.url, `POST ${path}`, 'Content-Length: 0')).status, path).toBe(404)
      }
    }
  })

  test.each(['/live', '/ready', '/metrics', '/debug', '/v1/health', '/healthz'])(
    '%s of the admin port or of habit is not here',
    async (path) => {
      expect((await api.request(path)).status).toBe(404)
    },
  )
})
