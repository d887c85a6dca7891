import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { useApi } from '../api.ts'
import { Browser } from '../dashboard-client.ts'
import { signInOwner } from '../dashboard-owner.ts'
import { useDatabase } from '../postgres.ts'
import { environment, ratecard } from '../process.ts'

// A mail server decides neither how long an answer takes, nor what it tells.

const sockets = new Set<Socket>()
// It takes connections and says nothing: the slowest mail server there is.
const silent = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1')
await once(silent, 'listening')

describe('with a mail server that says nothing', () => {
  const database = useDatabase()
  const api = useApi(database, {
    env: { SMTP_URL: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}?greetingTimeout=3000` },
  })

  test('a known and an unknown address are answered at once, and alike', async () => {
    await signInOwner(database.db, api.url)
    const timeOf = async (email: string) => {
      const began = performance.now()
      const { status } = await new Browser(api.url).post('/password-reset-mail', { email })
      expect(status).toBe(202)
      return performance.now() - began
    }
    // The first opens what the others use.
    await timeOf('warm@customer.example')
    const known = await timeOf('owner1@customer.example')
    const unknown = await timeOf('stranger@customer.example')
    for (const socket of sockets) socket.destroy()
    silent.close()
    expect({ known: known < 1_000, unknown: unknown < 1_000 }).toEqual({ known: true, unknown: true })
  })
})

test('a public server without mail does not start: links to sign in are secrets, and would be logged', async () => {
  const env = environment({
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    PUBLIC_URL: 'https://prices.example',
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  })
  const { exitCode, stderr, stdout } = await Promise.race([
    ratecard(['config', 'check'], env),
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('It has started.')), 20_000)),
  ])
  expect([exitCode, stdout]).toEqual([2, ''])
  expect(stderr).toContain('SMTP_URL')
})
