import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { Browser } from '../support/dashboard-client.ts'
import { signInOwner } from '../support/dashboard-owner.ts'
import { useDatabase } from '../support/postgres.ts'
import { environment, ratecard } from '../support/process.ts'

// A mail server influences neither the time nor the content of an answer.

const sockets = new Set<Socket>()
// It accepts connections and does not answer: the slowest possible mail server.
const silent = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1')
await once(silent, 'listening')
const urlOf = ({ port }: AddressInfo) => `smtp://127.0.0.1:${port}`
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  silent.close()
})

describe('with a mail server that says nothing', () => {
  const database = useDatabase()
  const api = useApi(database, { env: { SMTP_URL: urlOf(silent.address() as AddressInfo) } })

  test('known and unknown addresses are answered at once, and alike', async () => {
    await signInOwner(database.db, api.url)
    const ask = async (path: string, email: string) => {
      const began = performance.now()
      const { status, body } = await new Browser(api.url).post(path, { email })
      return { answer: { status, body }, ms: performance.now() - began }
    }
    // The first request opens what the others use.
    await ask('/sign-up', 'warm@customer.example')
    for (const path of ['/sign-up', '/password-reset-mail']) {
      const known = await ask(path, 'owner1@customer.example')
      const unknown = await ask(path, 'stranger@customer.example')
      expect(known.answer).toEqual({ status: 202, body: { success: true } })
      expect(unknown.answer).toEqual(known.answer)
      expect([known.ms < 1_000, unknown.ms < 1_000], `${known.ms} ${unknown.ms}`).toEqual([true, true])
    }
    // The waiting job contains a mailbox, and no link.
    const waiting = await sql<{ data: object }>`select data from pgboss.job where name = 'mail'`.execute(
      database.db,
    )
    expect(waiting.rows).toHaveLength(5)
    expect(JSON.stringify(waiting.rows)).not.toMatch(/token|https?:/)
    expect(await database.db.selectFrom('mailed_links').selectAll().execute()).toEqual([])
  })
})

describe('with a mail server that is away for a while', () => {
  const database = useDatabase()
  const mails: string[] = []
  let isAway = true
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onMailFrom: (_address, _session, done) =>
      done(isAway ? Object.assign(new Error('Come back later'), { responseCode: 451 }) : null),
    onData: (stream, _session, done) => {
      stream.on('data', (bytes: Buffer) => mails.push(bytes.toString()))
      stream.on('end', () => done())
    },
  })
  const env = { SMTP_URL: '' }
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server.server, 'listening')
    env.SMTP_URL = urlOf(server.server.address() as AddressInfo)
  })
  const api = useApi(database, { env })
  afterAll(() => new Promise<void>((resolve) => server.close(resolve)))

  test('a mail waits for it, is sent once, and nothing of it stays', async () => {
    const email = 'ada@customer.example'
    await new Browser(api.url).post('/sign-up', { email })
    await api.sendMails()
    expect(mails).toEqual([])
    expect(api.log.join('')).toContain('mail not sent: it is tried again')
    expect(api.log.join('')).not.toContain('#token=')

    isAway = false
    await sql`update pgboss.job set start_after = now() where name = 'mail'`.execute(database.db)
    await api.sendMails()
    expect(mails).toHaveLength(1)
    const unfolded = mails[0]!.replaceAll('=\r\n', '').replaceAll('=3D', '=')
    const [, token = ''] = /finish-sign-up#token=(\w+)/.exec(unfolded) ?? []
    const chosen = { token, name: 'Ada', password: 'correct horse battery' }
    expect((await new Browser(api.url).post('/finish-sign-up', chosen)).status).toBe(200)
    await api.sendMails()
    expect(mails).toHaveLength(1)
    const left = await sql`select 1 from pgboss.job where name = 'mail'`.execute(database.db)
    expect(left.rows).toEqual([])
  })
})

describe('a public server without mail', () => {
  const env = environment({ PUBLIC_URL: 'https://prices.example' })

  test('does not start: links to sign in are secrets, and would be logged', async () => {
    const { exitCode, stderr, stdout } = await ratecard(['config', 'check'], env)
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toContain('Set SMTP_URL to a mail server, or SMTP_URL=log:')
  })

  test.each<[string, Record<string, string>]>([
    ['with a mail server', { SMTP_URL: 'smtp://127.0.0.1' }],
    ['when its operator wants the links in the log', { SMTP_URL: 'log:' }],
    ['at an address for trying it out', { PUBLIC_URL: 'http://localhost:8080' }],
  ])('starts %s', async (_why, settings) => {
    expect((await ratecard(['config', 'check'], { ...env, ...settings })).exitCode).toBe(0)
  })
})
