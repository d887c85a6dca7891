import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ConfigurationError, InvalidResponseError, ServiceUnavailableError } from '../src/index.ts'
import { failure, pageOf, rateLimitHeaders, serve } from './support/server.ts'

/** Pages `0`, `1`, … of a list; the cursor is the number of the page. */
function paged(pages: unknown[][]) {
  return serve(({ query }) => {
    const number = Number(query.get('cursor') ?? 0)
    return pageOf(pages[number]!, number + 1 < pages.length ? String(number + 1) : undefined)
  })
}

describe('lists', () => {
  it('give every row once and in order, whatever the pages, empty ones too', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.nat(), { maxLength: 4 }), { minLength: 1, maxLength: 6 }),
        async (pages) => {
          const { client, server } = await paged(pages)
          const rows: unknown[] = []
          for await (const row of client().prices.list()) rows.push(row)
          server.close()
          expect(rows).toEqual(pages.flat())
        },
      ),
      { numRuns: 25 },
    )
  })

  it('request nothing before the first step, and stop at a break', async () => {
    const { client, seen } = await paged([[1, 2], [3]])
    const list = client().prices.list()
    list.pages()
    expect(seen).toHaveLength(0)
    for await (const row of list) if (row) break
    expect(seen).toHaveLength(1)
  })

  it('begin anew with each iteration', async () => {
    const { client, seen } = await paged([[1], [2]])
    const list = client().prices.list()
    expect([await list.toArray({ limit: 9 }), await list.toArray({ limit: 9 })]).toEqual([
      [1, 2],
      [1, 2],
    ])
    expect(seen).toHaveLength(4)
  })

  it('are their first page when awaited, asked for once', async () => {
    const { client, seen } = await serve(() => ({
      headers: rateLimitHeaders,
      json: { data: [1], pagination: { next_cursor: 'n' } },
    }))
    const list = client().prices.list({ limit: 1 })
    const page = await list
    expect(page).toMatchObject({
      data: [1],
      nextCursor: 'n',
      hasNextPage: true,
      requestId: 'req-1',
      rateLimit: { remaining: 7 },
    })
    expect(await list).toBe(page)
    expect(seen).toHaveLength(1)
  })

  it('ask again when they are awaited after a failure', async () => {
    const { client } = await serve((_, count) => (count === 1 ? 400 : pageOf([1])))
    const list = client().prices.list()
    await failure(list)
    expect((await list).data).toEqual([1])
  })

  it('go on by next(), with the same filters, to the end', async () => {
    const { client, seen } = await paged([[1], [2]])
    const first = await client().prices.list({ vendor: 'openai' })
    const second = await first.next()
    expect(second).toMatchObject({ data: [2], nextCursor: undefined, hasNextPage: false })
    expect(await second!.next()).toBeUndefined()
    expect(seen.map(({ target }) => target)).toEqual([
      '/v1/prices?vendor=openai',
      '/v1/prices?vendor=openai&cursor=1',
    ])
    expect((await first.next())!.data).toEqual([2])
  })

  it('begin at a cursor', async () => {
    const { client } = await paged([[1], [2], [3]])
    expect(await client().changes.list({ cursor: '1' }).toArray({ limit: 9 })).toEqual([2, 3])
  })

  it('treat an empty cursor as a cursor', async () => {
    const { client } = await serve(({ target }) =>
      target.includes('cursor=') ? pageOf([2]) : pageOf([1], ''),
    )
    expect(await client().prices.list().toArray({ limit: 9 })).toEqual([1, 2])
  })

  it('walk page by page', async () => {
    const { client } = await paged([[1, 2], [], [3]])
    const pages: unknown[] = []
    for await (const page of client().prices.list().pages()) pages.push(page.data)
    expect(pages).toEqual([[1, 2], [], [3]])
  })

  it('fail in mid-walk with the cursor of the page, from where a new walk goes on', async () => {
    let down = true
    const { client } = await serve(({ query }) => {
      const cursor = query.get('cursor')
      return cursor === null ? pageOf([1], 'second') : down ? 503 : pageOf([2])
    })
    const rows: unknown[] = []
    const walk = async (cursor?: string) => {
      for await (const row of client({ maxRetries: 0 }).prices.list({ cursor })) rows.push(row)
    }
    const error = await failure<ServiceUnavailableError>(walk())
    expect(error).toBeInstanceOf(ServiceUnavailableError)
    expect(error.cursor).toBe('second')
    down = false
    await walk(error.cursor)
    expect(rows).toEqual([1, 2])
  })

  it.each([
    ['itself', { a: 'a' }, 2],
    ['an earlier page', { a: 'b', b: 'c', c: 'a' }, 4],
  ])('throw when a page leads back to %s', async (_, next, requests) => {
    const { client, seen } = await serve(({ query }) =>
      pageOf([1], (next as Record<string, string>)[query.get('cursor') ?? ''] ?? 'a'),
    )
    const error = await failure(client().prices.list().toArray({ limit: 99 }))
    expect(error).toBeInstanceOf(InvalidResponseError)
    expect(seen).toHaveLength(requests)
  })

  it('toArray takes no more than its limit and fetches no page beyond', async () => {
    const { client, seen } = await paged([[1, 2], [3, 4], [5]])
    expect(await client().prices.list().toArray({ limit: 4 })).toEqual([1, 2, 3, 4])
    expect(seen).toHaveLength(2)
  })

  it.each([0, -1, NaN, undefined])('toArray refuses the limit %s', async (limit) => {
    const { client, seen } = await paged([[1]])
    expect(await failure(client().prices.list().toArray({ limit: limit! }))).toBeInstanceOf(
      ConfigurationError,
    )
    expect(seen).toHaveLength(0)
  })
})
