import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { ratecardWebhook } from '../src/fastify.ts'
import { verify } from '../src/index.node.ts'
import { secret } from './builds.ts'
import { afterwards, expectCommonCases, post, raw, signed } from './receivers.ts'

/** An application that listens on loopback; it ends with the test. */
async function start(register: (app: FastifyInstance) => unknown): Promise<string> {
  const app = fastify({ forceCloseConnections: true })
  await register(app)
  afterwards(() => app.close())
  return `${await app.listen({ port: 0, host: '127.0.0.1' })}/webhooks/ratecard`
}

test('answers as every receiver does', async () => {
  let handled = 0
  const url = await start((app) =>
    app.register(ratecardWebhook({ secret, onError: () => {} }, () => void (handled += 1))),
  )
  await expectCommonCases(url, () => handled)
})

test.each(['application', 'a b/c', ';', 'application/json; charset'])(
  'what the caller calls the content does not matter: %j',
  async (type) => {
    const url = await start((app) =>
      app.register(ratecardWebhook({ secret, onError: () => {} }, (_event, request) => request.headers)),
    )
    const { body, headers } = signed()
    const typed = { ...headers, 'content-type': type }
    const taken = await post(url, { body, headers: typed })
    expect(taken.status).toBe(200)
    expect(JSON.parse(taken.text)).toMatchObject({ 'x-svc-delivery': 'test' })
    expect((await post(url, { body: body + ' ', headers: typed })).status).toBe(401)
  },
)

test('an error of verify() that a route lets through is answered with its status', async () => {
  const url = await start((app) => {
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.removeContentTypeParser('application/json')
    app.post('/webhooks/ratecard', async (request) => {
      await verify(request.body as Buffer, request.headers, { secret })
      return {}
    })
  })
  expect((await post(url)).status).toBe(200)
  expect((await post(url, { body: signed().body + ' ' })).status).toBe(401)
})

test('the rest of the application keeps its parsers', async () => {
  const url = await start(async (app) => {
    app.post('/echo', (request) => request.body)
    await app.register(ratecardWebhook({ secret }, () => {}))
  })
  const init = { headers: { 'content-type': 'application/json' }, body: '{"a":1}' }
  const echo = await fetch(new URL('/echo', url), { method: 'POST', ...init })
  expect(await echo.json()).toEqual({ a: 1 })
  expect((await post(url)).status).toBe(204)
})

test('works under a prefix, behind other catch-all parsers and at a path of your choice', async () => {
  const url = await start(async (app) => {
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    await app.register(
      ratecardWebhook({ secret, path: '/in' }, () => {}),
      { prefix: '/deep' },
    )
  })
  expect((await post(new URL('/deep/in', url).href)).status).toBe(204)
})

test('what the handler returns or sends is the answer', async () => {
  const returned = await start((app) =>
    app.register(ratecardWebhook({ secret }, (event) => ({ n: event.changes.length }))),
  )
  expect((await post(returned)).text).toBe('{"n":1}')
  const sent = await start((app) =>
    app.register(ratecardWebhook({ secret }, (_event, _request, reply) => reply.code(202).send())),
  )
  expect((await post(sent)).status).toBe(202)
})

test("the handler's error goes to the error handler, and never answers 410", async () => {
  const register = (error: Error) => (app: FastifyInstance) =>
    app.register(ratecardWebhook({ secret }, () => Promise.reject(error)))
  expect((await post(await start(register(new Error('mine'))))).text).toContain('mine')
  const gone = await start(register(Object.assign(new Error('gone'), { statusCode: 410 })))
  expect((await post(gone)).status).toBe(500)
})

test('a body that a hook has changed is a mismatch', async () => {
  const url = await start(async (app) => {
    app.addHook('preParsing', (_request, _reply, _payload, done) =>
      done(null, Readable.from([Buffer.from('{}')])),
    )
    await app.register(ratecardWebhook({ secret }, () => {}))
  })
  const { body, headers } = signed()
  expect(await post(url, { body, headers })).toMatchObject({ status: 401, error: 'signature_mismatch' })
})

test('a body that stops arriving is given up', async () => {
  const url = await start((app) =>
    app.register(ratecardWebhook({ secret, bodyTimeoutMs: 50, onError: () => {} }, () => {})),
  )
  const head =
    'POST /webhooks/ratecard HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: application/json\r\n'
  expect(await raw(url, `${head}content-length: 100\r\n\r\n{"event"`)).toContain('HTTP/1.1 408')
})
