import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { BadRequestError, ConfigurationError, InvalidResponseError, Ratecard } from '../src/index.ts'
import { createFakeRatecard } from '../src/testing.ts'
import { failure, pageOf, rateLimitHeaders, serve } from './support/server.ts'

/** A list of the numbers from 1, in pages of the size asked for; the cursor is the last number of the page before. */
function counting(total: number, usual = 100) {
  return serve(({ query }) => {
    const from = Number(query.get('cursor') ?? 0)
    const size = Number(query.get('limit') ?? usual)
    const rows = Array.from({ length: Math.min(size, total - from) }, (_, index) => from + index + 1)
    const last = from + rows.length
    return pageOf(rows, last < total ? String(last) : undefined)
  })
}

const sizes = (seen: { query: URLSearchParams }[]) => seen.map(({ query }) => query.get('limit'))

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const rows: T[] = []
  for await (const row of source) rows.push(row)
  return rows
}

describe('the size of pages', () => {
  it('is 500 in a walk of the whole table, row by row or page by page', async () => {
    const { client, seen } = await counting(1_700)
    expect(await collect(client().prices.list())).toHaveLength(1_700)
    expect(sizes(seen)).toEqual(['500', '500', '500', '500'])
    seen.length = 0
    const pages = await collect(client().changes.list().pages())
    expect(pages.map(({ data }) => data.length)).toEqual([500, 500, 500, 200])
    expect(sizes(seen)).toEqual(['500', '500', '500', '500'])
  })

  it('is what toArray still needs, and 500 at most', async () => {
    const { client, seen } = await counting(1_700)
    const list = client().prices.list()
    expect(await list.toArray({ limit: 20 })).toHaveLength(20)
    expect(await list.toArray({ limit: 700 })).toHaveLength(700)
    expect(await list.toArray({ limit: Infinity })).toHaveLength(1_700)
    expect(sizes(seen)).toEqual(['20', '500', '200', '500', '500', '500', '500'])
  })

  it('is the usual one of the server for the first page alone and those after it by next()', async () => {
    const { client, seen } = await counting(250)
    const page = await client().prices.list()
    expect((await page.next())?.data).toHaveLength(100)
    expect(sizes(seen)).toEqual([null, null])
  })

  it('is the limit of the caller everywhere, when there is one', async () => {
    const { client, seen } = await counting(6)
    const list = client().prices.list({ limit: 4 })
    await collect(list)
    await collect(list.pages())
    await list.toArray({ limit: 1 })
    await (await list).next()
    await collect(await list)
    expect(new Set(sizes(seen))).toEqual(new Set(['4']))
  })
})

describe('a page', () => {
  it('gives its own rows when it is iterated at once', async () => {
    const { client, seen } = await counting(250)
    const page = await client().prices.list()
    expect([...page]).toEqual(page.data)
    expect(seen).toHaveLength(1)
  })

  it('gives its rows and all after them in a for await, in pages of 500', async () => {
    const { client, seen } = await counting(1_250)
    const page = await client().prices.list()
    expect(await collect(page)).toHaveLength(1_250)
    expect(await collect(page)).toEqual(Array.from({ length: 1_250 }, (_, index) => index + 1))
    expect(sizes(seen)).toEqual([null, '500', '500', '500', '500', '500', '500'])
  })

  it('walks everything when an async function has made it of a list', async () => {
    const { client } = await counting(250)
    const make = async () => client().prices.list({ vendor: 'openai' })
    expect(await collect(await make())).toHaveLength(250)
  })

  it('says what it is, printed and as JSON, and so does a list that was not fetched', async () => {
    const { client } = await serve(() => ({
      headers: rateLimitHeaders,
      json: { data: [{ id: 'a' }], pagination: { next_cursor: 'n' } },
    }))
    const list = client().prices.list({ vendor: 'openai' })
    const page = await list
    expect(inspect(page)).toMatch(/^Page \{\n {2}data: \[ \{ id: 'a' \} \],\n {2}nextCursor: 'n',/)
    expect(inspect(page)).toContain('remaining: 7')
    expect(inspect(page)).not.toMatch(/Function|Getter|Symbol/)
    expect(JSON.parse(JSON.stringify(page))).toEqual({
      data: [{ id: 'a' }],
      nextCursor: 'n',
      hasNextPage: true,
      rateLimit: { limit: 100, remaining: 7, resetAt: '2026-11-22T00:00:00.000Z', topup: false },
      requestId: 'req-1',
    })
    expect(inspect(list)).toBe("List { path: '/v1/prices', params: { vendor: 'openai' } }")
    expect(JSON.stringify(list)).toBe('{"path":"/v1/prices","params":{"vendor":"openai"}}')
  })

  it('lets next() be taken off it', async () => {
    const { client } = await counting(150)
    const { next } = await client().prices.list()
    expect((await next())?.data).toHaveLength(50)
  })
})

describe('an endless list', () => {
  const endless = () => serve((_, count) => pageOf([count], `fresh-${count}`))

  it('ends with an error after the most pages, which can be raised, and tells where', async () => {
    const { client, seen } = await endless()
    const rows: unknown[] = []
    const walk = async () => {
      for await (const row of client().prices.list({}, { maxPages: 7 })) rows.push(row)
    }
    const error = await failure<InvalidResponseError>(walk())
    expect(error).toBeInstanceOf(InvalidResponseError)
    expect(error.message).toContain('maxPages')
    expect(error.cursor).toBe('fresh-7')
    expect([rows.length, seen.length]).toEqual([7, 7])
    expect(await client().prices.list({}, { maxPages: 20 }).toArray({ limit: 20 })).toHaveLength(20)
  })

  it.each<[string, (client: ReturnType<Awaited<ReturnType<typeof endless>>['client']>) => Promise<unknown>]>([
    ['pages()', (client) => collect(client.prices.list({}, { maxPages: 5 }).pages())],
    ['toArray', (client) => client.prices.list({}, { maxPages: 5 }).toArray({ limit: 99 })],
    ['a page', async (client) => collect(await client.changes.list({}, { maxPages: 5 }))],
    [
      'next()',
      async (client) => {
        let page: Awaited<ReturnType<typeof client.prices.list>> | undefined
        page = await client.prices.list({}, { maxPages: 5 })
        while (page) page = await page.next()
      },
    ],
    ['poll', (client) => collect(client.changes.poll({ once: true }, { maxPages: 5 }))],
    ['sync', (client) => collect(client.prices.sync({ once: true }, { maxPages: 5 }))],
  ])('ends by %s too', async (_, walk) => {
    const { client, seen } = await endless()
    expect(await failure(walk(client()))).toBeInstanceOf(InvalidResponseError)
    expect(seen).toHaveLength(5)
  })

  it('is not what a list of just the most pages is', async () => {
    const { client } = await counting(6)
    expect(await collect(client().prices.list({ limit: 2 }, { maxPages: 3 }))).toHaveLength(6)
  })

  it.each([0, NaN, '5'])('refuses the bound %j', async (maxPages) => {
    const { client, seen } = await endless()
    const list = client().prices.list({}, { maxPages: maxPages as number })
    expect(await failure(list)).toBeInstanceOf(ConfigurationError)
    expect(seen).toHaveLength(0)
  })

  it('of 10,000 pages takes linear time, and has an end by itself', { timeout: 120_000 }, async () => {
    // Without a network: the walk itself is measured.
    const { client } = await counting(1)
    let count = 0
    const fetch = () => {
      count += 1
      return Promise.resolve(Response.json({ data: [count], pagination: { next_cursor: `fresh-${count}` } }))
    }
    const walk = async () => {
      const marks: number[] = [performance.now()]
      try {
        for await (const row of client({ fetch }).prices.list())
          if (Number(row) % 2_000 === 0) marks.push(performance.now())
      } catch (error) {
        return { error, marks }
      }
      throw new Error('It was expected to fail.')
    }
    const { error, marks } = await walk()
    expect(error).toBeInstanceOf(InvalidResponseError)
    expect(count).toBe(10_000)
    const spans = marks.slice(1).map((mark, index) => mark - marks[index]!)
    // Quadratic, the last fifth would take nine times as long as the first.
    expect(spans.at(-1)! / spans[0]!).toBeLessThan(4)
  })
})

describe('a mistake in JavaScript', () => {
  it.each<[string, (client: ReturnType<Awaited<ReturnType<typeof counting>>['client']>) => unknown]>([
    ['toArray()', (client) => (client.prices.list().toArray as () => unknown)()],
    ['toArray(20)', (client) => client.prices.list().toArray(20 as never)],
  ])('%s is a ConfigurationError', async (_, call) => {
    const { client, seen } = await counting(1)
    const error = await failure(call(client()) as Promise<unknown>)
    expect(error).toBeInstanceOf(ConfigurationError)
    expect(error.message).toContain('{')
    expect(seen).toHaveLength(0)
  })

  it('webhooks.create() is told by the server what is missing', async () => {
    const fake = createFakeRatecard()
    const client = new Ratecard({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })
    const error = await failure(client.webhooks.create(undefined as never))
    expect(error).toBeInstanceOf(BadRequestError)
    expect(error.message).toContain("required property 'url'")
  })

  it('null in place of parameters is none', async () => {
    const { client } = await counting(3)
    expect(await collect(client().prices.list(null as never))).toHaveLength(3)
  })
})
