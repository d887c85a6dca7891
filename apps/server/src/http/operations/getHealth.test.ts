import { describe, expect, test } from 'vitest'
import { useApi } from '../../../test/support/api.ts'
import { useDatabase } from '../../../test/support/postgres.ts'
import { send } from '../../../test/support/raw-http.ts'

const database = useDatabase()
const now = new Date('2026-11-21T09:30:00.123Z')
const api = useApi(database, { clock: { now: () => now } })
const away = useApi(database, { databaseUrl: () => 'postgres://nobody@127.0.0.1:1/nothing' })

describe('200', () => {
  test('says ok and what time it is, in UTC with six decimals', async () => {
    const { status, body } = await api.request('/health')
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 'ok', timestamp: '2026-11-21T09:30:00.123000Z' },
    })
  })

  test('needs no key and ignores any', async () => {
    for (const key of ['rubbish', 'rc_live_0']) {
      expect((await api.request('/health', { key })).status).toBe(200)
    }
  })

  test('does not ask the database', async () => {
    expect((await away.request('/health')).status).toBe(200)
  })

  test('is not to be kept, and tells nothing of a quota', async () => {
    const { headers } = await api.request('/health')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.has('x-ratelimit-limit')).toBe(false)
  })

  test('HEAD is answered like GET, without a body', async () => {
    const { status, headers, text } = await send(api.url, 'HEAD /health')
    expect({ status, text }).toEqual({ status: 200, text: '' })
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  })
})

test('is answered in the same words on the short way and, with a length of 0, on the long one', async () => {
  for (const origin of [[], ['Origin: https://a.example']]) {
    const [short, long] = await Promise.all(
      [[], ['Content-Length: 0']].map((more) => send(api.url, 'GET /health', ...origin, ...more)),
    )
    const told = ({ status, headers, text }: NonNullable<typeof short>) => ({
      ...{ status, text },
      headers: [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name)).sort(),
    })
    expect(told(short!)).toEqual(told(long!))
    expect(short!.headers.get('x-request-id')).toMatch(/^req_/)
  }
})

describe('400', () => {
  test('a query parameter is refused', async () => {
    const { status, body } = await api.request('/health?verbose=1')
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        error: 'invalid_request',
        message: 'There is no query parameter "verbose". This endpoint takes none.',
        status: 400,
      },
    })
  })
})

describe('405', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    '%s is refused and told what is allowed',
    async (method) => {
      const { status, headers } = await api.request('/health', { method })
      expect(status).toBe(405)
      expect(headers.get('allow')).toBe('GET, HEAD')
    },
  )
})
