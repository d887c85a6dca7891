import { describe, expect, it, vi } from 'vitest'
import type { ApiError } from '../src/index.ts'
import {
  InvalidResponseError,
  RequestAbortedError,
  type ChangePollParams,
  type RetryView,
} from '../src/index.ts'
import { failure, pageOf, serve, type Reply } from './support/server.ts'
import { checkpointOf, ids, row, service, take } from './support/rows.ts'

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
    expect(stored).toBe(checkpointOf(row('c', 3)))
    expect(ids(await round())).toEqual([])
    rows.push(row('d', 4))
    expect(ids(await round())).toEqual(['d'])
    expect(ids(await round())).toEqual([])
  })

  it('gives only the row in hand again after it was left', async () => {
    const { client } = await service([row('a', 1), row('b', 2), row('c', 3)])
    let stored: string | undefined
    const onCheckpoint = (checkpoint: string) => void (stored = checkpoint)
    const poll = () => client().changes.poll({ once: true, since: stored, onCheckpoint })
    expect(ids(await take(poll(), 2))).toEqual(['a', 'b'])
    expect(ids(await take(poll(), 2))).toEqual(['b', 'c'])
    expect(ids(await take(poll(), 2))).toEqual(['c'])
    expect(ids(await take(poll(), 2))).toEqual([])
  })

  it('goes on from a checkpoint of an earlier version, which is an instant alone', async () => {
    const { client, seen } = await service([row('a', 1), row('b', 2), row('c', 3)])
    const reached: string[] = []
    const since = row('b', 2).updated_at
    const onCheckpoint = (checkpoint: string) => void reached.push(checkpoint)
    expect(ids(await take(client().changes.poll({ once: true, since, onCheckpoint }), 9))).toEqual(['b', 'c'])
    expect(seen[0]!.query.get('since')).toBe(since)
    expect(reached).toEqual([checkpointOf(row('c', 3))])
  })

  it('loses no row of the millisecond that a Date is cut to', async () => {
    const rows = [0, 1, 999].map((micros) => ({
      ...row(`r${micros}`, 0),
      updated_at: `2026-11-20T06:00:00.123${String(micros).padStart(3, '0')}Z`,
    }))
    const { client } = await service(rows)
    const since = new Date('2026-11-20T06:00:00.123Z')
    expect(ids(await take(client().changes.poll({ once: true, since }), 9))).toEqual(['r0', 'r1', 'r999'])
  })

  it('is right even when rows share an instant', async () => {
    const rows = [row('a', 1), row('b', 1), row('c', 1)]
    const { client } = await serve(({ query }) =>
      pageOf(rows.filter(({ updated_at }) => updated_at >= (query.get('since') ?? ''))),
    )
    let stored: string | undefined
    const onCheckpoint = (checkpoint: string) => void (stored = checkpoint)
    const poll = () => client().changes.poll({ once: true, since: stored, onCheckpoint })
    expect(ids(await take(poll(), 2))).toEqual(['a', 'b'])
    expect(ids(await take(poll(), 9))).toEqual(['b', 'c'])
    // One more of that very instant, with an id before all others.
    rows.unshift(row('Z', 1))
    expect(ids(await take(poll(), 9))).toEqual(['Z'])
    expect(ids(await take(poll(), 9))).toEqual([])
  })

  it('gives a row again when it has moved, though its id is in the checkpoint', async () => {
    const rows = [row('a', 1)]
    const { client } = await service(rows)
    const since = checkpointOf(row('a', 1))
    expect(await take(client().changes.poll({ once: true, since }), 9)).toEqual([])
    rows[0] = row('a', 2)
    expect(ids(await take(client().changes.poll({ once: true, since }), 9))).toEqual(['a'])
  })

  it('keeps ids whatever they are made of', async () => {
    const odd = row('a "b" ]\n🔑', 1)
    const { client } = await service([odd])
    let stored: string | undefined
    const onCheckpoint = (checkpoint: string) => void (stored = checkpoint)
    const poll = () => client().changes.poll({ once: true, since: stored, onCheckpoint })
    expect(await take(poll(), 9)).toEqual([odd])
    expect(await take(poll(), 9)).toEqual([])
  })

  it('has a damaged checkpoint refused, rather than guess what it was', async () => {
    const { client, seen } = await serve(() => 400)
    const since = checkpointOf(row('a', 1)).slice(0, -3)
    expect(await failure<ApiError>(take(client().changes.poll({ since }), 1))).toMatchObject({ status: 400 })
    expect(seen[0]!.query.get('since')).toBe(since)
  })

  it('tells no checkpoint when there is nothing new', async () => {
    const { client } = await service([row('a', 1)])
    const onCheckpoint = vi.fn()
    const since = checkpointOf(row('a', 1))
    await take(client().changes.poll({ once: true, since, onCheckpoint }), 9)
    expect(onCheckpoint).not.toHaveBeenCalled()
  })

  it('ends between two rows when it is aborted, with the row in hand taken', async () => {
    const { client } = await service([row('a', 1), row('b', 2), row('c', 3)])
    const controller = new AbortController()
    const reached: string[] = []
    const onCheckpoint = (checkpoint: string) => void reached.push(checkpoint)
    const got: string[] = []
    const walk = async () => {
      for await (const { id } of client().changes.poll({ signal: controller.signal, onCheckpoint })) {
        got.push(id)
        controller.abort()
      }
    }
    expect(await failure(walk())).toBeInstanceOf(RequestAbortedError)
    expect([got, reached]).toEqual([['a'], [checkpointOf(row('a', 1))]])
  })

  it('tells a checkpoint only of rows that were taken', async () => {
    const { client } = await service([row('a', 1), row('b', 2), row('c', 3)])
    const reached: string[] = []
    const onCheckpoint = (checkpoint: string) => void reached.push(checkpoint)
    await take(client().changes.poll({ onCheckpoint }), 2)
    // The second row was in hand when the loop was left, so it may not have been handled.
    expect(reached).toEqual([checkpointOf(row('a', 1))])
  })

  it('tells checkpoints within a long round', async () => {
    const many = Array.from({ length: 250 }, (_, i) => ({
      ...row(`c${i}`, 0),
      updated_at: `2026-11-20T06:00:00.${String(i).padStart(6, '0')}Z`,
    }))
    const { client } = await serve(() => pageOf([...many].reverse()))
    const reached: string[] = []
    const onCheckpoint = (checkpoint: string) => void reached.push(checkpoint)
    await take(client().changes.poll({ once: true, onCheckpoint }), 999)
    expect(reached).toEqual([99, 199, 249].map((i) => checkpointOf(many[i]!)))
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
      await vi.waitFor(() => expect(retries).toHaveLength(1), 20_000)
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

  describe('with a maintenance page in place of the service', () => {
    const page: Reply = { headers: { 'content-type': 'text/html' }, text: '<h1>Back soon</h1>' }

    /** Two good rounds with three answers of `trouble` between them. */
    async function overTrouble(trouble: Reply) {
      const rows = [row('a', 1)]
      const { client } = await service(rows, (count) => (count > 1 && count < 5 ? trouble : undefined))
      const retries: RetryView[] = []
      const hooks = { onRetry: (view: RetryView) => void retries.push(view) }
      vi.spyOn(Math, 'random').mockReturnValue(0)
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      let isDone = false
      const passTime = async () => {
        while (!isDone) {
          await vi.advanceTimersByTimeAsync(500)
          await new Promise((resolve) => setImmediate(resolve))
        }
      }
      try {
        const got: string[] = []
        void passTime()
        for await (const { id } of client({ hooks, maxRetries: 0, timeoutMs: 1e9 }).changes.poll({
          intervalMs: 1,
        })) {
          got.push(id)
          rows.push(row('b', 2))
          if (got.length === 2) break
        }
        return { got, errors: retries.map(({ error }) => error.name) }
      } finally {
        isDone = true
        vi.useRealTimers()
        vi.restoreAllMocks()
      }
    }

    it.each<[string, Reply]>([
      ['as a 200', page],
      ['as JSON of another form', { json: { message: 'Back soon' } }],
      ['by a redirect', { status: 302, headers: { location: 'https://status.customer.example' } }],
    ])('%s, it goes on once the service is back', async (_, trouble) => {
      const { got, errors } = await overTrouble(trouble)
      expect(got).toEqual(['a', 'b'])
      expect(errors).toEqual(Array.from({ length: 3 }, () => 'InvalidResponseError'))
    })

    it('from the very first answer on, it is thrown: the base URL may lead elsewhere', async () => {
      const { client, seen } = await serve(() => page)
      const error = await failure(take(client().changes.poll(), 1))
      expect(error).toBeInstanceOf(InvalidResponseError)
      expect(seen).toHaveLength(1)
    })

    it('is not what a list is that leads back to itself: that is thrown', async () => {
      const { client } = await serve(() => pageOf([row('a', 1)], 'same'))
      const error = await failure(take(client().changes.poll(), 1))
      expect(error.message).toContain('leads back')
    })
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
