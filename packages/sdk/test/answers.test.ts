import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { InternalServerError, InvalidResponseError, type Ratecard } from '../src/index.ts'
import { failure, pageOf, serve, usage, type Reply } from './support/server.ts'

const webhook = { url: 'https://hooks.customer.example', secret: 'a-long-random-secret' }

const operations: [name: string, call: (client: Ratecard) => PromiseLike<unknown>][] = [
  ['health', (client) => client.health()],
  ['prices.list', (client) => client.prices.list()],
  ['changes.list', (client) => client.changes.list()],
  ['webhooks.list', (client) => client.webhooks.list()],
  ['webhooks.create', (client) => client.webhooks.create(webhook)],
  ['webhooks.delete', (client) => client.webhooks.delete('whk_1')],
  ['usage.get', (client) => client.usage.get()],
]

const wrong: [name: string, body: unknown][] = [
  ['that of a captive portal', { message: 'hello' }],
  ['an array', []],
  ['an object of nulls', { data: null, status: null, success: null, daily_quota: null }],
  [
    'an object of texts',
    { data: 'x', status: 1, success: 'x', daily_quota: 'x', endpoints: 'x', topup: 'x' },
  ],
]

describe('an answer of the wrong shape', () => {
  it.each(
    operations.flatMap(([name, call]) => wrong.map(([what, body]) => [name, what, body, call] as const)),
  )('%s fails on %s', async (_, __, body, call) => {
    const { client, seen } = await serve(() => ({ json: body }))
    const error = await failure<InvalidResponseError>(call(client()))
    expect(error).toBeInstanceOf(InvalidResponseError)
    expect(error).toMatchObject({ status: 200, requestId: 'req-1', attempts: 1, retryable: false })
    expect(error.body).toBe(JSON.stringify(body))
    expect(error.message).toMatch(/^(GET|POST|DELETE) http.*: the answer is not one of Ratecard.*baseUrl/)
    expect(seen).toHaveLength(1)
  })

  it('has nothing to do with fields that are new', async () => {
    const { client } = await serve(() => ({ json: { ...usage, brand_new: { deep: [1] } } }))
    expect(await client().usage.get()).toEqual({ ...usage, brand_new: { deep: [1] } })
  })
})

describe('the size of an answer', () => {
  const endless = (status: number, onClose = () => {}): Reply => {
    const megabyte = Buffer.alloc(2 ** 20, 'x')
    return (response, request) => {
      const write = () => {
        while (!response.destroyed && response.write(megabyte));
      }
      request.socket.on('close', onClose)
      response.writeHead(status, { 'content-type': 'application/json' })
      response.on('drain', write)
      write()
    }
  }

  it('is at most 32 MiB, and then the connection is closed', async () => {
    let closed!: () => void
    const connectionClosed = new Promise<void>((resolve) => (closed = resolve))
    const { client } = await serve(() => endless(200, closed))
    const error = await failure<InvalidResponseError>(client().usage.get())
    expect(error).toBeInstanceOf(InvalidResponseError)
    expect(error.message).toContain('longer than 33554432 bytes, which the option maxResponseBytes can raise')
    await connectionClosed
  })

  it.each([
    ['as it is', (text: string): Reply => ({ text })],
    [
      'compressed',
      (text: string): Reply =>
        (response) =>
          void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text)),
    ],
  ])('is what the option says, to the byte, when it comes %s', async (_, reply) => {
    const text = JSON.stringify({ schema_version: 1, data: ['ü'.repeat(50_000), '€'] })
    const bytes = Buffer.byteLength(text)
    const { client } = await serve(() => reply(text))
    const page = await client({ maxResponseBytes: bytes }).prices.list()
    expect(JSON.stringify(page.data)).toBe(JSON.stringify(['ü'.repeat(50_000), '€']))
    const tooLong = client().prices.list({}, { maxResponseBytes: bytes - 1 })
    expect(await failure(tooLong)).toBeInstanceOf(InvalidResponseError)
  })

  it('holds for a fetch that has only text()', async () => {
    const { client } = await serve(() => 500)
    const fetch = () =>
      Promise.resolve({
        ok: true,
        status: 200,
        headers: new Headers(),
        text: () => Promise.resolve('{"data":[1]}'),
      })
    expect((await client({ fetch }).prices.list()).data).toEqual([1])
    expect(await failure(client({ fetch, maxResponseBytes: 11 }).prices.list())).toBeInstanceOf(
      InvalidResponseError,
    )
  })

  it('of an error is cut, and the error stays what it is', async () => {
    const { client } = await serve(() => endless(500))
    const error = await failure<InternalServerError>(client({ maxRetries: 0 }).usage.get())
    expect(error).toBeInstanceOf(InternalServerError)
    expect(error.body).toBe('x'.repeat(65_536))
  })

  it('does not hold a page of 500 rows back', async () => {
    const row = { title: 'x'.repeat(2_000) }
    const { client } = await serve(() => pageOf(Array.from({ length: 500 }, () => row)))
    expect((await client().changes.list()).data).toHaveLength(500)
  })
})
