import { connect } from 'node:net'
import express from 'express'
import { expect, test } from 'vitest'
import { replayKey, ratecardWebhook } from '../src/express.ts'
import { verify } from '../src/index.node.ts'
import { alert, delivery, now, secret } from './builds.ts'
import { expectCommonCases, listen, post, raw, signed } from './receivers.ts'

const path = '/webhooks/ratecard'
const silent = () => {}

/** An application with the receiver at the usual path, behind the given middleware. */
function application(before: express.RequestHandler[] = [], options = {}) {
  const app = express()
  const state = { handled: 0, errors: [] as unknown[] }
  for (const handler of before) app.use(handler)
  app.use(
    path,
    ratecardWebhook({ secret, onError: (error) => state.errors.push(error), ...options }, () => {
      state.handled += 1
    }),
  )
  return { app, state }
}

test('answers as every receiver does', async () => {
  const { app, state } = application()
  await expectCommonCases(await listen(app), () => state.handled)
})

test('the handler gets the event, the request and the response of Express', async () => {
  const app = express()
  app.post(
    path,
    ratecardWebhook({ secret, now }, (event, req, res) => {
      expect(event).toEqual(alert)
      res.status(202).json({ path: req.path, changes: event.changes.length })
    }),
  )
  const { body, headers } = delivery()
  expect(await post(await listen(app), { body, headers })).toMatchObject({
    status: 202,
    text: JSON.stringify({ path, changes: 1 }),
  })
})

test.each([
  ['a right signature', () => ({})],
  ['a wrong signature', () => ({ body: signed().body + ' ' })],
])('behind express.json() it says so at once, with the remedy: %s', async (_, init) => {
  const { app, state } = application([express.json()])
  const answer = await post(await listen(app), init())
  expect(answer).toMatchObject({ status: 500, error: 'body_parsed' })
  expect(answer.text).toContain('express.raw()')
  expect(state).toMatchObject({ handled: 0, errors: [{ code: 'body_parsed' }] })
})

test('behind a middleware that ate the body it says so at once', async () => {
  const eater: express.RequestHandler = (req, _res, next) => void req.resume().on('end', next)
  const { app, state } = application([eater])
  expect(await post(await listen(app))).toMatchObject({ status: 500, error: 'body_parsed' })
  expect(state.handled).toBe(0)
})

test.each([
  ['express.raw()', express.raw({ type: '*/*' })],
  ['express.text()', express.text({ type: '*/*' })],
  [
    'express.json() that keeps req.rawBody, as Nest and cloud functions do',
    express.json({ verify: (req, _res, bytes) => void Object.assign(req, { rawBody: bytes }) }),
  ],
])('works behind %s', async (_, parser) => {
  const { app, state } = application([parser])
  const url = await listen(app)
  expect((await post(url)).status).toBe(204)
  expect((await post(url, { body: signed().body + ' ' })).status).toBe(401)
  expect(state.handled).toBe(1)
})

test('holds what a parser has read to its own bound', async () => {
  const { app } = application([express.raw({ type: '*/*', limit: '1mb' })], { maxBodyBytes: 50 })
  expect(await post(await listen(app))).toMatchObject({ status: 413 })
})

test("the handler's error goes to the error handler of the application", async () => {
  const app = express()
  app.use(
    path,
    ratecardWebhook({ secret, onError: silent }, () => Promise.reject(new Error('mine'))),
  )
  const failed: express.ErrorRequestHandler = (error: Error, _req, res, _next) =>
    void res.status(503).send(error.message)
  app.use(failed)
  expect(await post(await listen(app))).toEqual({ status: 503, text: 'mine' })
})

test('an error that carries status 410 does not switch the subscription off', async () => {
  const app = express().set('env', 'test')
  const gone = Object.assign(new Error('upstream is gone'), { status: 410 })
  app.use(
    path,
    ratecardWebhook({ secret }, () => Promise.reject(gone)),
  )
  expect((await post(await listen(app))).status).toBe(500)
})

test('an error of verify() that a route lets through is answered with its status', async () => {
  const app = express().set('env', 'test')
  app.post(path, express.raw({ type: '*/*' }), async (req, res) => {
    await verify(req.body as Buffer, req.headers, { secret })
    res.sendStatus(204)
  })
  const url = await listen(app)
  expect((await post(url)).status).toBe(204)
  expect((await post(url, { body: signed().body + ' ' })).status).toBe(401)
})

test('a failing store lets nothing in', async () => {
  const { app, state } = application([], { seen: () => Promise.reject(new Error('store')) })
  app.set('env', 'test')
  expect((await post(await listen(app))).status).toBe(500)
  expect(state.handled).toBe(0)
})

test('a delivery that was handled is acknowledged and not handled again; one that failed is', async () => {
  const done = new Set<string>()
  const calls: string[] = []
  const app = express().set('env', 'test')
  app.use(
    path,
    ratecardWebhook({ secret, seen: (key) => done.has(key) }, (event) => {
      calls.push(replayKey(event))
      if (calls.length === 1) throw new Error('not yet')
      done.add(replayKey(event))
    }),
  )
  const url = await listen(app)
  const statuses = []
  for (let attempt = 1; attempt <= 4; attempt += 1) statuses.push((await post(url)).status)
  expect(statuses).toEqual([500, 204, 200, 200])
  expect(calls).toHaveLength(2)
})

test('a body that stops arriving is given up: 408, and the connection ends', async () => {
  const { app, state } = application([], { bodyTimeoutMs: 50 })
  const url = await listen(app)
  const answer = await raw(url, `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{"event"`)
  expect(answer).toContain('HTTP/1.1 408')
  expect(answer).toContain('body_timeout')
  expect(state.handled).toBe(0)
})

test('an endless body is refused by its announced or its counted size, and cut off', async () => {
  const { app } = application([], { bodyTimeoutMs: 1_000, maxBodyBytes: 1_000 })
  const url = await listen(app)
  const announced = await raw(url, `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 5000\r\n\r\nx`)
  expect(announced).toContain('HTTP/1.1 413')
  const chunk = `400\r\n${'x'.repeat(0x400)}\r\n`
  const counted = await raw(
    url,
    `POST ${path} HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n`,
    chunk,
    chunk,
  )
  expect(counted).toContain('HTTP/1.1 413')
})

test('a sender that goes away is reported, and does no harm', async () => {
  const reported = Promise.withResolvers<unknown>()
  const { app, state } = application([], { onError: reported.resolve })
  const url = await listen(app)
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{"event"`, () =>
    socket.destroy(),
  )
  expect(await reported.promise).toMatchObject({ code: 'body_missing' })
  expect(state.handled).toBe(0)
})
