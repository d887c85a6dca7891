import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createRawServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { shippedCatalog } from '../src/catalog.ts'
import { catalogFromFile } from '../src/file.ts'
import { Catalog, CatalogError, costOf, resolve, type Snapshot } from '../src/index.ts'
import { catalogFromPrices, catalogFromUrl, type Fetch } from '../src/live.ts'
import { catalogOf, outcome, record, snapshotOf } from './support.ts'

const first = snapshotOf([record({ resource_id: 'a:x', input_per_mtok: '1' })])
const second = snapshotOf([record({ resource_id: 'a:x', input_per_mtok: '2' })], {
  generated_at: '2026-09-02T00:00:00.000000Z',
  catalog_version: '43',
})
const million = { input_tokens: 1_000_000 }
const x = { model: 'a:x' }
/** Much of nothing: a thousandth of it goes over the line. */
const bomb = gzipSync(Buffer.alloc(100_000_000, ' '))

describe('a snapshot', () => {
  test.each<[string, unknown, string]>([
    ['no JSON', '{"format":"ratecard-snap', 'no whole JSON'],
    ['something else', { models: {} }, 'no snapshot of Ratecard'],
    ['null', null, 'no snapshot of Ratecard'],
    ['a later form', { ...first, format_version: 2 }, 'update @ratecard/cost'],
    ['a part', { ...first, resource_count: 2 }, '(1 resource_ids of 2,'],
    [
      'a record twice',
      { ...first, resources: [...first.resources, ...first.resources], resource_count: 2 },
      '(1 resource_ids of 2,',
    ],
    ['a record without an id', { ...first, resources: [{}] }, '(0 resource_ids of 1,'],
    ['no time', { ...first, generated_at: 'today' }, ', today)'],
  ])('that is %s is refused', (_, given, message) => {
    expect(() => new Catalog(given as Snapshot)).toThrow(CatalogError)
    expect(() => new Catalog(given as Snapshot)).toThrow(message)
  })

  it('says its version and its age', () => {
    const catalog = new Catalog(JSON.stringify(first))
    expect(catalog.stamp(Date.parse('2026-09-03T00:00:00Z'))).toEqual({
      version: '42',
      generatedAt: '2026-09-01T00:00:00.000000Z',
      asOf: null,
      origin: 'data',
      ageMs: 172_800_000,
    })
    expect([
      catalog.size,
      catalog.version,
      catalog.get('a:x')?.input_per_mtok,
      catalog.get('toString'),
    ]).toEqual([1, '42', '1', undefined])
    expect(catalog.records()).toHaveLength(1)
  })

  it('stays where what should replace it is damaged', () => {
    const catalog = new Catalog(first)
    expect(() => catalog.replace('{')).toThrow(CatalogError)
    expect(outcome(catalog, million, x)).toBe('1')
    catalog.replace(second)
    expect(outcome(catalog, million, x)).toBe('2')
  })
})

describe('the shipped catalog', () => {
  const catalog = shippedCatalog()
  it('says where it is from and how old it is, and prices names as vendors answer them', () => {
    expect(catalog.stamp()).toMatchObject({
      origin: 'shipped',
      asOf: expect.stringMatching(/^20\d\d-/) as string,
    })
    const counts = { input_tokens: 1_000, output_tokens: 10 }
    const cost = costOf({ counts }, { catalog, model: 'gpt-4o-2024-08-06', platform: 'openai' })
    expect(cost).toMatchObject({ isWhole: true, total: '0.0026', resourceId: 'openai:gpt-4o', rule: 'alias' })
    const claude = resolve('us.anthropic.claude-sonnet-4-5-20250929-v1:0', { catalog, platform: 'bedrock' })
    expect(claude).toMatchObject({ isResolved: true })
  })

  it('is a snapshot by its schema, but for what only a server knows', () => {
    const schema = JSON.parse(
      readFileSync(new URL('../../contract/snapshot.schema.json', import.meta.url), 'utf8'),
    ) as object
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    const check = ajv.addSchema(schema, 's').compile({ $ref: 's#/$defs/rate' })
    const rates = catalog.records().flatMap(({ rates }) => rates ?? [])
    expect(rates.length).toBeGreaterThan(500)
    expect(rates.filter((one) => !check(one))).toEqual([])
  })
})

describe('a catalog of an address', () => {
  let answer: (request: IncomingMessage, response: ServerResponse) => void
  const server = createServer((request, response) => answer(request, response))
  let url = ''
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/snapshot.json`
  })
  afterAll(() => server.close())
  const serve = (snapshot: unknown, etag = '"1"') => {
    const text = typeof snapshot === 'string' ? snapshot : JSON.stringify(snapshot)
    answer = (request, response) => {
      const isSame = request.headers['if-none-match'] === etag
      response.writeHead(isSame ? 304 : 200, { etag }).end(isSame ? '' : text)
    }
  }
  beforeEach(() => serve(first))
  const open = async (options: Parameters<typeof catalogFromUrl>[1] = {}) => {
    const catalog = await catalogFromUrl(url, { refreshMs: 0, ...options })
    onTestFinished(() => catalog.close())
    return catalog
  }

  it('is asked for anew with its ETag', async () => {
    const catalog = await open()
    expect(catalog.stamp().origin).toBe('url')
    expect(await catalog.refresh()).toBe(false)
    serve(second, '"2"')
    expect(await Promise.all([catalog.refresh(), catalog.refresh()])).toEqual([true, true])
    expect(outcome(catalog, million, x)).toBe('2')
    expect(catalog.version).toBe('43')
  })

  test.each<[string, unknown, string]>([
    ['a part of the text', JSON.stringify(second).slice(0, -20), 'no whole JSON'],
    ['a page', '<p>Bad gateway</p>', 'no whole JSON'],
    [
      'an older one',
      snapshotOf(first.resources, { generated_at: '2026-08-01T00:00:00Z', catalog_version: '9' }),
      'older',
    ],
    ['a much shorter one', snapshotOf([], { generated_at: '2026-09-03T00:00:00Z' }), 'has 0 records'],
  ])('keeps the last good prices when %s comes', async (_, damaged, message) => {
    const catalog = await open()
    serve(damaged, '"2"')
    await expect(catalog.refresh()).rejects.toThrow(message)
    expect(outcome(catalog, million, x)).toBe('1')
    serve(second, '"2"')
    if (typeof damaged === 'string') expect(await catalog.refresh()).toBe(true)
  })

  it('is refreshed in the background, and told what fails', async () => {
    const errors: unknown[] = []
    answer = (_, response) => response.writeHead(503).end()
    const fallback = catalogOf(record({ resource_id: 'a:x', input_per_mtok: '7' }))
    const catalog = await open({ refreshMs: 10, fallback, onError: (error) => errors.push(error) })
    expect([outcome(catalog, million, x), catalog.stamp().origin]).toEqual(['7', 'data'])
    expect(String(errors[0])).toContain('answers 503')
    serve(second)
    await expect.poll(() => outcome(catalog, million, x)).toBe('2')
    expect([catalog.stamp().origin, outcome(fallback, million, x)]).toEqual(['url', '7'])
  })

  it('that does not answer, or too late, is an error without the secrets of the address', async () => {
    answer = () => undefined
    const late = catalogFromUrl(url.replace('//', '//user:secret@') + '?token=secret', {
      timeoutMs: 30,
      fetch: (_, init) => fetch(url, init),
    })
    await expect(late).rejects.toThrow(CatalogError)
    await expect(late).rejects.not.toThrow('secret')
    server.closeAllConnections()
  })

  test.each([
    ['without a length', 'HTTP/1.0', 'Connection: close'],
    ['with a length', 'HTTP/1.1', `Content-Length: ${bomb.length}`],
  ])('that unpacks to more than a snapshot has is read no further: %s', async (_, version, header) => {
    // Raw: what ends the connection at the last byte of a body is no server of Node's.
    const raw = createRawServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => {
        socket.write(`${version} 200 OK\r\nContent-Encoding: gzip\r\n${header}\r\n\r\n`)
        socket.end(bomb)
      })
    })
    onTestFinished(() => void raw.close())
    await once(raw.listen(0, '127.0.0.1'), 'listening')
    const { port } = raw.address() as AddressInfo
    const errors: unknown[] = []
    const fallback = catalogOf(record({ resource_id: 'a:x', input_per_mtok: '7' }))
    const catalog = await catalogFromUrl(`http://127.0.0.1:${port}/`, {
      refreshMs: 0,
      fallback,
      onError: (error) => errors.push(error),
    })
    expect(outcome(catalog, million, x)).toBe('7')
    expect(errors).toEqual([expect.any(CatalogError)])
    expect(String(errors[0])).toContain('more than a snapshot has')
  })

  test.each([
    ['HTTP/1.0', ''],
    ['HTTP/1.1', 'Connection: close\r\n'],
  ])(
    'that ends its connection with the last byte of a packed body is read whole: %s',
    async (version, header) => {
      // Random enough that the end has come while the beginning is being unpacked.
      const noise = Array.from({ length: 8_000 }, () => randomBytes(60).toString('hex') + ' '.repeat(2_000))
      const packed = gzipSync(JSON.stringify({ ...first, noise }), { level: 1 })
      const raw = createRawServer((socket) => {
        socket.on('error', () => undefined)
        socket.once('data', () => {
          socket.write(`${version} 200 OK\r\nContent-Encoding: gzip\r\n${header}\r\n`)
          socket.end(packed)
        })
      })
      onTestFinished(() => void raw.close())
      await once(raw.listen(0, '127.0.0.1'), 'listening')
      const { port } = raw.address() as AddressInfo
      const catalog = await catalogFromUrl(`http://127.0.0.1:${port}/`, { refreshMs: 0, timeoutMs: 10_000 })
      expect(outcome(catalog, million, x)).toBe('1')
    },
  )

  it('is asked by the fetch that a program has put in place of the global one', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(first))))
    onTestFinished(() => void vi.unstubAllGlobals())
    expect((await catalogFromUrl('https://nowhere.example/')).size).toBe(1)
  })

  it('that breaks off is a CatalogError', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{', () => response.destroy())
    }
    await expect(open()).rejects.toThrow(CatalogError)
  })

  it('is followed where it redirects, and never from https to http', async () => {
    const text = JSON.stringify(first)
    answer = ({ url: path = '' }, response) => {
      if (path === '/moved') response.writeHead(200, { etag: '"1"' }).end(text)
      else response.writeHead(302, { location: path === '/round' ? '/round' : '/moved' }).end()
    }
    expect((await open()).size).toBe(1)
    await expect(catalogFromUrl(new URL('/round', url))).rejects.toThrow('redirects more than 5 times')

    const asked: string[] = []
    const fetch: Fetch = (address) => {
      asked.push(address)
      const location = address.endsWith('/1') ? 'https://b.example/2' : 'http://b.example/3'
      return Promise.resolve(new Response(null, { status: 302, headers: { location } }))
    }
    const lowered = catalogFromUrl('https://a.example/1', { fetch })
    await expect(lowered).rejects.toThrow(CatalogError)
    await expect(lowered).rejects.toThrow('redirects from https to http.')
    expect(asked).toEqual(['https://a.example/1', 'https://b.example/2'])
  })

  it('has the digest that is asked for', async () => {
    const digest = createHash('sha256').update(JSON.stringify(first)).digest('base64')
    expect((await open({ integrity: `sha256-${digest}` })).size).toBe(1)
    await expect(
      open({ integrity: `sha256-${digest.replace(/^./, digest.startsWith('A') ? 'B' : 'A')}` }),
    ).rejects.toThrow('another one')
    await expect(open({ integrity: 'md5-x' })).rejects.toThrow('sha256-')
  })
})

it('of a file is read again when the file is another', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ratecard-cost-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'prices.json')
  await writeFile(path, JSON.stringify(first))
  const catalog = await catalogFromFile(path, { refreshMs: 0 })
  expect([outcome(catalog, million, x), await catalog.refresh()]).toEqual(['1', false])
  await writeFile(path, `${JSON.stringify(second)}\n`)
  expect([await catalog.refresh(), outcome(catalog, million, x), catalog.stamp().origin]).toEqual([
    true,
    '2',
    'file',
  ])
  await writeFile(path, '{"format":')
  await expect(catalog.refresh()).rejects.toThrow(CatalogError)
  expect(outcome(catalog, million, x)).toBe('2')
  await expect(catalogFromFile(join(folder, 'none.json'))).rejects.toThrow('cannot be read')
})

it('of the live API has standard rates alone, and says what it does not know', async () => {
  const { rates: _rates, announced: _announced, aliases: _aliases, ...row } = record({ resource_id: 'a:x' })
  const rows = [
    { ...row, input_per_mtok: 9, updated_at: '2026-08-01T00:00:00.000000Z' },
    { ...row, input_per_mtok: 0.075, updated_at: '2026-08-02T00:00:00.000000Z' },
  ]
  const catalog = await catalogFromPrices(rows as never, { nowMs: Date.parse('2026-09-01T00:00:00Z') })
  expect(catalog.stamp()).toMatchObject({ origin: 'api', version: '2026-08-02T00:00:00.000000Z' })
  expect(costOf({ counts: million }, { catalog, ...x })).toMatchObject({
    total: '0.075',
    doubts: ['no_rate_cards'],
  })
  expect(outcome(catalog, { cache_write_tokens: 1 }, x)).toBe('cache_write_tokens: no_rate_card')
  expect(outcome(catalog, million, { ...x, tier: 'batch' })).toBe('input_tokens: no_rate_card')
})

test('the shipped list says of a price when it was checked, and an old check is a doubt', () => {
  const catalog = shippedCatalog()
  expect(catalog.records().filter(({ checked_on }) => checked_on != null).length).toBeGreaterThan(300)
  const told = { catalog, model: 'perplexity:r1-1776' }
  const at = (at: string) => costOf({ counts: { input_tokens: 1_000 }, at }, told)
  expect(at('2026-09-30')).toMatchObject({ checkedOn: '2025-07-03', doubts: ['catalog_older_than_use'] })
  expect(at('2025-09-01').doubts).not.toContain('catalog_older_than_use')
})
