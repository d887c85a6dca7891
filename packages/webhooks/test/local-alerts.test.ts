import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import * as forExpress from '../src/express.ts'
import * as forFastify from '../src/fastify.ts'
import * as forFetch from '../src/fetch.ts'
import * as forLambda from '../src/lambda.ts'
import * as forNode from '../src/node.ts'
import { secret } from './builds.ts'
import { afterwards, listen } from './receivers.ts'

// The program of the SDK sends alerts to a receiver on the same machine, of each adapter.

const program = fileURLToPath(new URL('../../sdk/src/cli.ts', import.meta.url))
const path = '/webhooks/ratecard'

type Handler = (event: { changes: readonly { id: string }[] }) => void

const options = { secret, onError: () => {} }

/** Starts a receiver; tells where it listens. */
const receivers: Record<string, (handler: Handler) => Promise<string>> = {
  express: (handler) => listen(express().post(path, forExpress.ratecardWebhook(options, handler))),
  fastify: async (handler) => {
    const app = fastify({ forceCloseConnections: true })
    await app.register(forFastify.ratecardWebhook({ ...options, path }, handler))
    afterwards(() => app.close())
    return `${await app.listen({ port: 0, host: '127.0.0.1' })}${path}`
  },
  fetch: (handler) => {
    const app = new Hono().post(path, ({ req }) => forFetch.ratecardWebhook(options, handler)(req.raw))
    return listen((req, res) => {
      void (async () => {
        const headers = req.headers as Record<string, string>
        const init = { method: 'POST', headers, body: await text(req) }
        const answer = await app.fetch(new Request(`http://localhost${req.url}`, init))
        res.writeHead(answer.status).end(await answer.text())
      })()
    })
  },
  lambda: (handler) => {
    const receive = forLambda.ratecardWebhook(options, handler)
    return listen((req, res) => {
      void (async () => {
        const headers = req.headers as Record<string, string>
        const answer = await receive({
          headers,
          requestContext: { http: { method: 'POST' } },
          body: await text(req),
          isBase64Encoded: false,
        })
        res.writeHead(Number(answer.statusCode)).end(answer.body)
      })()
    })
  },
  node: (handler) => listen(forNode.ratecardWebhook(options, handler)),
}

describe.each(Object.entries(receivers))('a receiver with the adapter for %s', (_name, start) => {
  test('takes sample alerts, the same again too, and refuses a forged and an old one', async () => {
    const got: string[][] = []
    const url = await start(({ changes }) => void got.push(changes.map(({ id }) => id)))
    const [twice, forged, old] = await Promise.all([
      run(['trigger', 'hundred', '--twice', '--to', url]),
      run(['trigger', '--bad-signature', '--to', url]),
      run(['trigger', '--old', '--to', url]),
    ])
    expect(twice).toMatchObject({ exitCode: 0, statuses: [204, 204] })
    expect(forged).toMatchObject({ exitCode: 0, statuses: [401] })
    expect(old).toMatchObject({ exitCode: 0, statuses: [400] })
    expect(got.map((ids) => ids.length)).toEqual([100, 100])
    expect(got[1]).toEqual(got[0])
  })
})

test('a receiver that verifies nothing is told so', async () => {
  const url = await listen((_req, res) => res.writeHead(200).end('thanks'))
  const { exitCode, events } = await run(['trigger', '--bad-signature', '--to', url])
  expect(exitCode).toBe(1)
  expect(events.at(-1)).toEqual({ event: 'wrong', fault: 'bad-signature' })
})

test('what a receiver answers is shown as one line, without what a terminal would obey', async () => {
  const url = await listen((_req, res) => res.writeHead(500).end('\u001b[2Jno\nsuch table'))
  const { exitCode, events } = await run(['trigger', 'large', '--to', url])
  expect(exitCode).toBe(1)
  expect(events.at(-1)).toMatchObject({
    event: 'delivery',
    status: 500,
    taken: false,
    said: '[2Jno such table',
  })
})

test('a mistake says what to write instead', async () => {
  const { exitCode, stderr } = await run(['trigger', 'price_fall', '--to', 'http://localhost'])
  expect(stderr).toContain('Name one alert of these: price_rise')
  expect(exitCode).toBe(2)
})

async function run(args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args, ...(args.includes('--to') ? ['--json'] : [])], {
    env: { RATECARD_WEBHOOK_SECRET: secret },
  })
  const [stdout, stderr, exitCode] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once('close', resolve)),
  ])
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'))
  const events = lines.map((line) => JSON.parse(line) as { event: string; status?: number })
  const statuses = events.flatMap(({ event, status }) => (event === 'delivery' ? [status] : []))
  return { exitCode, stderr, events, statuses }
}
