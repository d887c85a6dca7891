import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { connect, offline, listen, serve } from './support.ts'

// What costs the customer something: each request of the quota is counted, told and bounded.

test('a question uses one request, says so, and none when it is asked again', async () => {
  const { fake, env } = await serve()
  const { call } = await connect(env)
  const first = await call('list_changes', { limit: 2 })
  expect(first.said.changes).toHaveLength(2)
  expect(first.said).toMatchObject({ requests_used: 1, quota: { limit: 10_000, remaining: 9_999 } })
  expect(first.text).toContain('used 1 request of the quota, and 9999 of 10000 are left today')
  const again = await call('list_changes', { limit: 2 })
  expect(again.said).toMatchObject({ requests_used: 0, changes: first.said.changes })
  // Asked at once, it is asked once.
  await Promise.all(Array.from({ length: 5 }, () => call('list_changes', { limit: 3 })))
  expect(fake.requests).toHaveLength(2)
  const next = await call('list_changes', { limit: 2, cursor: first.said.next_cursor })
  expect(next.said.changes[0]?.id).not.toBe(first.said.changes[0]?.id)
})

test('the values of a change are given as they moved', async () => {
  const { fake, env } = await serve()
  fake.putChanges({
    category: 'price_cut',
    title: 'Cheaper',
    diff_keys: '["openai:gpt-4o#input_per_mtok"]',
    diff_before: '{"openai:gpt-4o":{"input_per_mtok":5}}',
    diff_after: '{"openai:gpt-4o":{"input_per_mtok":2.5}}',
  })
  const { call } = await connect(env)
  const { said, text } = await call('list_changes', { limit: 1 })
  expect(said.changes[0]?.moves).toEqual([
    { resource_id: 'openai:gpt-4o', field: 'input_per_mtok', before: '5', after: '2.5' },
  ])
  expect(text).toContain('openai:gpt-4o input_per_mtok: 5 > 2.5')
})

test('a time may be said as "ratecard-sdk listen" takes it', async () => {
  const { fake, env } = await serve()
  const { call } = await connect(env)
  for (const since of ['90m', '24h', '7d']) expect(await call('list_changes', { since })).toMatchObject({ isError: false }) // prettier-ignore
  const day = fake.requests.at(-1)!.query['since']!
  expect(Date.now() - Date.parse(day)).toBeGreaterThan(7 * 86_400_000 - 60_000)
  expect(Date.now() - Date.parse(day)).toBeLessThan(7 * 86_400_000 + 60_000)
})

test('without a key the sentence says which settings are missing', async () => {
  const { call } = await offline()
  const { isError, text } = await call('list_changes')
  expect(isError).toBe(true)
  for (const name of ['RATECARD_BASE_URL', 'RATECARD_API_KEY']) expect(text).toContain(name)
})

test('a wrong key, a plan without changes and a used-up quota are told as they are to be mended', async () => {
  const { fake, env } = await serve()
  const wrong = await connect({ ...env, RATECARD_API_KEY: 'rc_live_of_somebody_else_00000000' })
  expect(await wrong.call('list_changes')).toMatchObject({
    isError: true,
    text: expect.stringMatching(/key/) as string,
  })
  fake.account.setPlan('free')
  const { call } = await connect(env)
  expect(await call('list_changes')).toMatchObject({ isError: true, text: expect.stringMatching(/plan.*http/s) as string }) // prettier-ignore
  fake.account.setPlan('developer')
  fake.account.setUsed(10_000)
  expect(await call('list_changes')).toMatchObject({ isError: true, text: expect.stringMatching(/quota.*http/s) as string }) // prettier-ignore
  expect(await call('list_changes', { since: 'yesterday' })).toMatchObject({ isError: true })
})

test('a model cannot use up the quota', async () => {
  const { fake, env } = await serve()
  const { call } = await connect({ ...env, RATECARD_MCP_REQUESTS_PER_DAY: '2' })
  for (const limit of [1, 2]) expect((await call('list_changes', { limit })).isError).toBe(false)
  const third = await call('list_changes', { limit: 3 })
  expect(third).toMatchObject({ isError: true, text: expect.stringContaining('RATECARD_MCP_REQUESTS_PER_DAY') as string }) // prettier-ignore
  expect(fake.requests).toHaveLength(2)

  const other = await connect(env)
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => other.call('list_changes', { limit: index + 1 })),
  )
  const refused = answers.filter(({ isError }) => isError)
  expect(refused).toHaveLength(10)
  expect(refused[0]?.text).toContain('at most 30 requests a minute')
  expect(fake.requests).toHaveLength(32)
})

test('the key is in no answer and no log, also when a server writes it into one', async () => {
  const key = 'rc_live_0123456789abcdefghijABCDEF'
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/snapshot.json' ? 404 : 400, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({
        error: 'invalid_request',
        message: `You sent ${request.headers.authorization}.`,
        status: 400,
      }),
    )
  })
  const { call, log } = await connect({ RATECARD_BASE_URL: await listen(server), RATECARD_API_KEY: key })
  const said = [await call('list_changes'), await call('search_prices', { limit: 1 })]
  expect(said[0]).toMatchObject({ isError: true, text: expect.stringContaining('You sent') as string })
  expect(JSON.stringify(said) + log()).not.toContain(key)
})
