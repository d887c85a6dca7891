import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { beforeAll, afterAll, describe, expect, test } from 'vitest'
import { createCustomer, priceRecord, storePrices, type Customer } from '../support/actors.ts'
import { becomeReady, patience } from '../support/load.ts'
import { useDatabase } from '../support/postgres.ts'
import { startServer, type ServerProcess } from '../support/process.ts'
import { head } from '../support/raw-http.ts'
import {
  again,
  ask,
  countHeld,
  expectUndisturbed,
  filling,
  openSocket,
  openSockets,
  readInFlight,
  readMemoryMib,
  sendUnread,
} from './attacker.ts'

// A stranger's connections that read no answer, send no body or go away cost a customer nothing.

const database = useDatabase()
let server: ServerProcess
let customer: Customer
const ends: (() => Promise<void>)[] = []

beforeAll(async () => {
  await storePrices(
    database.db,
    Array.from({ length: 500 }, (_, n) => priceRecord({ resource_id: `acme:model-${n}` })),
  )
  customer = await createCustomer(database.db, { plan: 'enterprise' })
  const env = {
    DATABASE_URL: database.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'warn',
  }
  server = await startServer(env, ['--no-worker'], (end) => void ends.push(end))
  await becomeReady([server])
  await ask(server.url, '/v1/prices', { key: customer.key })
  // The code of signing in is loaded at its first use.
  await ask(server.url, '/dashboard/api/sign-in', signingIn)
})
afterAll(async () => {
  for (const end of ends) await end()
})

const signingIn = {
  times: 1,
  method: 'POST',
  headers: { 'sec-fetch-site': 'same-origin', 'x-ratecard-dashboard': '1' },
  body: { email: 'nobody@customer.example', password: 'not the right one' },
}

const asCustomer = (times?: number) =>
  ask(server.url, '/v1/prices', { key: customer.key, ...(times !== undefined && { times }) })

describe('answers that nobody reads hold no place', again, () => {
  const line = 'GET /dashboard/api/me'
  test.each([
    ['without a key, from one connection', 1, () => head(line).repeat(1_010)],
    ['without a key, from three', 3, () => head(line).repeat(400)],
    [
      'with a key',
      4,
      () => head('GET /v1/prices?limit=500', `Authorization: Bearer ${customer.key}`).repeat(300),
    ],
    ['of a webhook of a payment provider', 3, () => head('POST /dashboard/api/billing/stripe').repeat(300)],
  ])('%s', async (_what, connections, requests) => {
    const sockets = await Promise.all(
      Array.from({ length: connections }, () => sendUnread(server.url, filling + requests())),
    )
    await ask(server.url, '/health', { times: 20 })
    expectUndisturbed(await asCustomer(20))
    await expect.poll(() => readInFlight(server), patience).toBe(0)
    for (const socket of sockets) socket.destroy()
  })
})

describe('a body that does not come holds no place', again, () => {
  test.each([
    [
      'of somebody who signs in',
      'POST /dashboard/api/sign-in',
      () => ['Sec-Fetch-Site: same-origin', 'X-Ratecard-Dashboard: 1'],
    ],
    ['of a payment provider', 'POST /dashboard/api/billing/stripe', () => []],
    ['of a customer', 'POST /v1/webhooks', () => [`Authorization: Bearer ${customer.key}`]],
  ])('%s', async (_what, line, headers) => {
    const sockets = await openSockets(server.url, 1_050)
    const request = head(line, ...headers(), 'Content-Type: application/json', 'Content-Length: 100')
    for (const socket of sockets) socket.write(`${request}{`)
    // Connections are accepted in order: an answer on a new one shows that all before it were accepted.
    await ask(server.url, '/health', { times: 20 })
    await expect.poll(() => readInFlight(server), patience).toBe(0)
    expectUndisturbed(await asCustomer(20))
    // All come from one network, which has its pace: 429 until its next turn.
    const answers: Awaited<ReturnType<typeof ask>>[] = []
    const signIn = async () => {
      answers.unshift(await ask(server.url, '/dashboard/api/sign-in', signingIn))
      return answers[0]!.statuses
    }
    await expect.poll(signIn, patience).toEqual([401])
    expect(answers[0]!.worstMs).toBeLessThan(1_000)
    for (const socket of sockets) socket.destroy()
  })
})

test('connections that are reset in the middle of their requests leave no place held', again, async () => {
  for (let round = 0; round < 3; round += 1) {
    const socket = await sendUnread(server.url, head('GET /dashboard/api/me').repeat(400))
    socket.resetAndDestroy()
  }
  await ask(server.url, '/health')
  await expect.poll(() => readInFlight(server), patience).toBe(0)
  expectUndisturbed(await asCustomer())
})

describe('a connection that was refused is closed, though its client does not close it', () => {
  test.each([
    ['no HTTP', 'no such thing\r\n\r\n'],
    ['too large a head', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['rubbish behind a request', `${head('GET /health')}rubbish\r\n\r\n`],
    ['a length that is none', head('POST /dashboard/api/sign-in', 'Content-Length: x')],
  ])('%s', again, async (_what, bytes) => {
    const sockets = await openSockets(server.url, 50)
    await expect.poll(() => countHeld(server, sockets), patience).toBe(50)
    for (const socket of sockets) socket.write(bytes)
    await expect.poll(() => countHeld(server, sockets), patience).toBe(0)
    for (const socket of sockets) socket.destroy()
  })
})

test('a large file that many ask for and nobody reads is in memory once', again, async () => {
  await ask(server.url, '/openapi.json', { times: 2 })
  const before = await readMemoryMib(server)
  const contract = (...headers: string[]) => head('GET /openapi.json', ...headers)
  const sockets = [
    await sendUnread(server.url, contract().repeat(1_200)),
    await sendUnread(server.url, contract('Accept-Encoding: br').repeat(200)),
    await sendUnread(server.url, contract('Accept-Encoding: gzip').repeat(200)),
  ]
  expectUndisturbed(await asCustomer(50))
  expect((await readMemoryMib(server)) - before).toBeLessThan(64)
  for (const socket of sockets) socket.destroy()
})

test('a large file that one client reads two hundred times over is compressed once', again, async () => {
  const before = await readMemoryMib(server)
  const socket = await openSocket(server.url)
  const closed = once(socket, 'close')
  socket.resume()
  socket.write(head('GET /openapi.json', 'Accept-Encoding: br').repeat(200))
  socket.end(head('GET /health', 'Connection: close'))
  expectUndisturbed(await asCustomer(50))
  await closed
  expect((await readMemoryMib(server)) - before).toBeLessThan(64)
})

test('public pages that are asked for by the thousand hold nobody up', again, async () => {
  const sockets = await openSockets(server.url, 5)
  for (const socket of sockets) socket.resume().write(head('GET /changes/chg_1').repeat(1_200))
  await ask(server.url, '/health', { times: 1 })
  expectUndisturbed(await asCustomer(50))
  for (const socket of sockets) socket.destroy()
})
