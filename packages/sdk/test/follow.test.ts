import { describe, expect, it, vi } from 'vitest'
import type { ApiError } from '../src/index.ts'
import { RequestAbortedError, type ChangePollParams, type RetryView } from '../src/index.ts'
import { failure, pageOf, serve, type Reply } from './support/server.ts'

interface Row {
  id: string
  resource_id: string
  updated_at: string
}

function row(id: string, second: number): Row {
  return { id, resource_id: id, updated_at: `2026-11-20T06:00:${String(second).padStart(2, '0')}.000000Z` }
}

/** A list that behaves like the service: newest first, `since` inclusive, pages of two. `trouble` answers in its place. */
async function service(rows: Row[], trouble: (count: number) => Reply | undefined = () => undefined) {
  return serve(({ query }, count) => {
    const instead = trouble(count)
    if (instead !== undefined) return instead
    const since = query.get('since') ?? ''
    const cursor = query.get('cursor')
    const found = rows
      .filter(({ updated_at }) => updated_at >= since && (cursor === null || updated_at < cursor))
      .sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1))
    return pageOf(found.slice(0, 2), found.length > 2 ? found[1]!.updated_at : undefined)
  })
}

async function take<T>(source: AsyncIterable<T>, count: number): Promise<T[]> {
  const taken: T[] = []
  for await (const one of source) if (taken.push(one) >= count) break
  return taken
}

const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)

describe('changes.poll', () => {
  it('gives each round oldest first and nothing twice, and asks from the newest row on', async () => {
    const rows = [row('a', 1), row('b', 2), row('c', 3)]
    const { client, seen } = await service(rows)
    const got: string[] = []
    for await (const change of client().changes.poll({ intervalMs: 1, minSeverity: 2 })) {
      got.push(change.id)
      if (got.length === 3) rows.push(row('d', 4), { ...row('a', 5) })
      if (got.length === 5) break
    }
    expect(got).toEqual(['a', 'b', 'c', 'd', 'a'])
    expect(seen[0]!.target).toBe('/v1/changes?min_severity=2&limit=500')
    expect(seen.at(-1)!.query.get('since')).toBe(row('c', 3).updated_at)
  })

  it('ends after one round with once, and goes on from a stored checkpoint', async () => {
    const rows = [row('a', 1), row('b', 2), row('c', 3)]
    const { client } = await service(rows)
    let stored: string | undefined
    const round = () => {
      const onCheckpoint = (checkpoint: string) => void (stored = checkpoint)
      return take(client().changes.poll({ once: true, since: stored, onCheckpoint }), 99)
    }
    expect(ids(await round())).toEqual(['a', 'b', 'c'])
    expect(stored).toBe(row('c', 3).updated_at)
    rows.push(row('d', 4))
    // `since` is inclusive: at least once.
    expect(ids(await round())).toEqual(['c', 'd'])
  })

  it('tells a checkpoint only of rows that were taken', async () => {
    const { client } = await service([row('a', 1), row('b', 2), row('c', 3)])
    const told: string[] = []
    const onCheckpoint = (checkpoint: string) => void told.push(checkpoint)
    await take(client().changes.poll({ onCheckpoint }), 2)
    // The second row was in hand when the loop was left, so it may not have been handled.
    expect(told).toEqual([row('a', 1).updated_at])
  })

  it('tells checkpoints within a long round', async () => {
    const many = Array.from({ length: 250 }, (_, i) => ({
      ...row(`c${i}`, 0),
      updated_at: `2026-11-20T06:00:00.${String(i).padStart(6, '0')}Z`,
    }))
    const { client } = await serve(() => pageOf([...many].reverse()))
    const told: string[] = []
    const onCheckpoint = (checkpoint: string) => void told.push(checkpoint)
    await take(client().changes.poll({ once: true, onCheckpoint }), 999)
    expect(told).toEqual([99, 199, 249].map((i) => many[i]!.updated_at))
  })

  it('waits for onCheckpoint and fails with its error', async () => {
    const { client } = await service([row('a', 1)])
    const cause = new Error('disk full')
    const error = await failure(
      take(client().changes.poll({ once: true, onCheckpoint: () => Promise.reject(cause) }), 9),
    )
    expect(error).toBe(cause)
  })

  it.each<[string, Reply]>([
    ['a 503', 503],
    ['a 429', 429],
    ['a broken connection', (response) => response.socket!.destroy()],
  ])('survives %s in mid-round and goes on with the same page', async (_, trouble) => {
    const { client, seen } = await service([row('a', 1), row('b', 2), row('c', 3)], (count) =>
      count === 2 ? trouble : undefined,
    )
    const retries: RetryView[] = []
    const hooks = { onRetry: (view: RetryView) => void retries.push(view) }
    vi.spyOn(Math, 'random').mockReturnValue(0)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const polled = take(client({ maxRetries: 0, hooks }).changes.poll({ once: true }), 9)
      await vi.waitFor(() => expect(retries).toHaveLength(1))
      await vi.advanceTimersByTimeAsync(retries[0]!.delayMs)
      expect(ids(await polled)).toEqual(['a', 'b', 'c'])
    } finally {
      vi.useRealTimers()
      vi.restoreAllMocks()
    }
    expect(retries[0]).toMatchObject({ method: 'GET', attempt: 1, delayMs: 500 })
    expect(seen.map(({ query }) => query.get('cursor'))).toEqual([
      null,
      row('b', 2).updated_at,
      row('b', 2).updated_at,
    ])
  })

  it.each([
    ['Retry-After', { 'retry-after': '36000' }, 36_000_000],
    [
      'the reset of the quota',
      { 'x-ratelimit-limit': '9', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2000000000' },
      undefined,
    ],
  ])('waits out a used-up quota by %s, and can be aborted meanwhile', async (_, headers, delayMs) => {
    const json = {
      error: 'quota_exceeded',
      message: 'Used up.',
      status: 429,
      topup_url: 'https://api.ratecard.example/dashboard/billing',
    }
    const { client, seen } = await serve(() => ({
      status: 429,
      headers: headers,
      json,
    }))
    const controller = new AbortController()
    const delays: number[] = []
    const hooks = {
      onRetry: (view: RetryView) => {
        delays.push(view.delayMs)
        setImmediate(() => controller.abort())
      },
    }
    const error = await failure(take(client({ hooks }).changes.poll({ signal: controller.signal }), 1))
    expect(error).toBeInstanceOf(RequestAbortedError)
    expect(seen).toHaveLength(1)
    if (delayMs) expect(delays).toEqual([delayMs])
    else expect(Math.abs(delays[0]! - (2_000_000_000_000 - Date.now()))).toBeLessThan(60_000)
  })

  it.each([400, 401, 403])('ends with the error on a %i', async (status) => {
    const { client, seen } = await serve(() => status)
    const error = await failure<ApiError>(take(client().changes.poll(), 1))
    expect(error).toMatchObject({ status })
    expect(seen).toHaveLength(1)
  })

  it('can be aborted between rounds', async () => {
    const controller = new AbortController()
    const { client } = await serve(() => {
      setImmediate(() => controller.abort('enough'))
      return pageOf([])
    })
    const error = await failure(take(client().changes.poll({ signal: controller.signal }), 1))
    expect(error).toBeInstanceOf(RequestAbortedError)
    expect(error.cause).toBe('enough')
  })

  it('refuses a pause that is none', async () => {
    const { client, seen } = await serve(() => pageOf([]))
    const params: ChangePollParams = { intervalMs: NaN }
    expect((await failure(take(client().changes.poll(params), 1))).message).toContain('intervalMs')
    expect(seen).toHaveLength(0)
  })
})

describe('prices.sync', () => {
  it('gives rows as their pages come, and tells the checkpoint at the end of the round', async () => {
    const { client, seen } = await service([row('a', 1), row('b', 2), row('c', 3)])
    const told: string[] = []
    const got: string[] = []
    const onCheckpoint = (checkpoint: string) => void told.push(checkpoint)
    for await (const price of client().prices.sync({ once: true, vendor: 'openai', onCheckpoint })) {
      got.push(price.resource_id)
      expect(told).toEqual([])
      if (got.length === 2) expect(seen).toHaveLength(1)
    }
    expect(got).toEqual(['c', 'b', 'a'])
    expect(told).toEqual([row('c', 3).updated_at])
    expect(seen[0]!.target).toBe('/v1/prices?vendor=openai&limit=500')
  })

  it('gives in later rounds only what moved', async () => {
    const rows = [row('a', 1), row('b', 2)]
    const { client } = await service(rows)
    const got: string[] = []
    for await (const price of client().prices.sync({ intervalMs: 1 })) {
      got.push(price.resource_id)
      if (got.length === 2) rows[0] = row('a', 3)
      if (got.length === 3) break
    }
    expect(got).toEqual(['b', 'a', 'a'])
  })

  it('tells no checkpoint of a round that was left', async () => {
    const { client } = await service([row('a', 1), row('b', 2), row('c', 3)])
    const onCheckpoint = vi.fn()
    await take(client().prices.sync({ onCheckpoint }), 2)
    expect(onCheckpoint).not.toHaveBeenCalled()
  })
})
