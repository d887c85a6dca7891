import { describe, expect, it } from 'vitest'
import { Ratecard } from '../src/index.ts'
import { failure, pageOf, serve } from './support/server.ts'

/** In each, the line that waits for the call begins with "await" or "for await" and ends with its name. */
const forms: Record<string, (client: Ratecard) => Promise<unknown>> = {
  await: async (client) => {
    await client.usage.get() // await
  },
  withResponse: async (client) => {
    await client.usage.get().withResponse() // withResponse
  },
  both: async (client) => {
    const call = client.usage.get()
    await Promise.all([call, call.withResponse()]) // both
  },
  list: async (client) => {
    await client.changes.list() // list
  },
  'for await': async (client) => {
    for await (const price of client.prices.list()) void price // for await
  },
  pages: async (client) => {
    for await (const page of client.prices.list().pages()) void page // pages
  },
  toArray: async (client) => {
    await client.prices.list().toArray({ limit: 100 }) // toArray
  },
  next: async (client) => {
    const page = await client.prices.list()
    await page.next() // next
  },
  sync: async (client) => {
    for await (const price of client.prices.sync()) void price // sync
  },
  poll: async (client) => {
    for await (const change of client.changes.poll()) void change // poll
  },
  'not sent': async (client) => {
    await client.usage.get({ maxRetries: -1 }) // not sent
  },
  'out of time': async (client) => {
    await client.usage.get({ timeoutMs: 1e-3, maxRetries: 0 }) // out of time
  },
}

describe('a stack', () => {
  it.each(Object.keys(forms))('names the line that waits: %s', async (name) => {
    // The first page of prices comes; everything else fails.
    const { client } = await serve(({ target, query }) =>
      target.startsWith('/v1/prices') && !query.has('cursor')
        ? pageOf([{ resource_id: 'a', updated_at: '2026-11-21T00:00:00.000000Z' }], 'next')
        : 401,
    )
    const error = await failure(forms[name]!(client()))
    const { readFile } = await import('node:fs/promises')
    const lines = (await readFile(new URL(import.meta.url), 'utf8')).split('\n')
    const [, line] = /stacks\.test\.ts:(\d+)/.exec(error.stack ?? '') ?? []
    expect(lines[Number(line) - 1], error.stack).toMatch(new RegExp(`await .* // ${name}$`))
  })

  it('does not begin with the queues of Node.js, whichever lets the caller go on', async () => {
    // The call ends between two timers that are due at once.
    const late = () =>
      new Promise<never>((_, reject) => {
        setTimeout(() => reject(new TypeError('fetch failed')), 1)
        setTimeout(() => undefined, 1)
      })
    const client = new Ratecard({
      apiKey: 'rc_test',
      baseUrl: 'http://127.0.0.1:9',
      fetch: late,
      maxRetries: 0,
    })
    const error = await failure(client.usage.get())
    expect(error.stack?.split('\n')[1]).toContain('sdk/test/')
  })

  it('stays as it was made where nobody waits', async () => {
    const { client } = await serve(() => 401)
    const error = await new Promise<Error>((resolve) => void client().usage.get().then(undefined, resolve))
    expect(error.stack).toMatch(/^AuthenticationError: .*\n {4}at /)
  })
})
