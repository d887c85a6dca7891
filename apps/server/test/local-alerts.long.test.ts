import { spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createInterface } from 'node:readline'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../src/database/embedded.ts'
import { createCustomer } from './support/actors.ts'
import { changeFile, publish } from './support/fixtures.ts'
import { becomeReady, patience } from './support/load.ts'
import { useDatabase } from './support/postgres.ts'
import { startServer, type ServerProcess } from './support/process.ts'

// The SDK's program forwards what this server publishes to a receiver on the same machine.

const database = useDatabase()
let server: ServerProcess
const ends: (() => Promise<void>)[] = []
const secret = 'sixteen characters or more'
const program = fileURLToPath(new URL('../../../packages/sdk/src/cli.ts', import.meta.url))

beforeAll(async () => {
  const env = { DATABASE_URL: database.url, SECRETS_KEY: randomBytes(32).toString('base64') }
  server = await startServer(env, ['--no-worker'], (end) => ends.push(end))
  await becomeReady([server])
})
afterAll(async () => {
  for (const end of ends) await end()
})

describe('listen', () => {
  test('forwards each new change once, as a webhook gets it, and goes on where it ended', async () => {
    const { key } = await createCustomer(database.db, { plan: 'developer' })
    await publish(database.db, changeFile({ title: 'Before' }))
    const receiver = await startReceiver()
    const first = await start(key, ['listen', '--forward-to', receiver.url, '--interval', '5'])
    await publish(database.db, changeFile({ title: 'One' }), changeFile({ title: 'Two' }))
    await expect.poll(() => receiver.titles(), patience).toEqual([['One', 'Two']])
    expect(receiver.headers()).toMatchObject([
      { 'content-type': 'application/json; charset=utf-8', 'x-svc-attempt': '1' },
    ])
    const stopped = await first.stop()
    expect(stopped).toMatchObject({ event: 'stopped' })

    await publish(database.db, changeFile({ title: 'While it was away' }))
    const second = await start(key, [
      'listen',
      '--forward-to',
      receiver.url,
      '--since',
      String(stopped.since),
    ])
    await expect.poll(() => receiver.titles().slice(1), patience).toEqual([['While it was away']])
    await second.stop()
  })

  test('waits for a receiver that starts again', async () => {
    const { key } = await createCustomer(database.db, { plan: 'developer' })
    const receiver = await startReceiver()
    const { port } = new URL(receiver.url)
    await receiver.close()
    const since = new Date(Date.now() - 60_000).toISOString()
    await publish(database.db, changeFile({ title: 'Patience' }))
    const listening = await start(key, ['listen', '--forward-to', receiver.url, '--since', since])
    await expect
      .poll(() => listening.events.find(({ event }) => event === 'delivery'), patience)
      .toMatchObject({ status: null, taken: false, said: 'ECONNREFUSED' })
    const back = await startReceiver(Number(port))
    await expect.poll(() => back.titles().flat(), patience).toContain('Patience')
    await listening.stop()
  })
})

describe('replay', () => {
  test('forwards those of a time and ends, with 1 where the receiver did not take them', async () => {
    const { key } = await createCustomer(database.db, { plan: 'developer' })
    await publish(database.db, changeFile({ title: 'Replayed', vendor: 'replayer' }))
    const receiver = await startReceiver()
    const args = ['replay', '--since', '1h', '--vendor', 'replayer', '--forward-to', receiver.url]
    expect(await run(key, args)).toMatchObject({ exitCode: 0 })
    expect(receiver.titles()).toEqual([['Replayed']])
    receiver.answers(500)
    expect(await run(key, args)).toMatchObject({ exitCode: 1 })
  })

  test('of a key without the plan, of none, and of a wrong one says what is missing', async () => {
    const { key } = await createCustomer(database.db)
    const args = ['replay', '--since', '1h', '--forward-to', 'http://localhost:1']
    const refused = await Promise.all(
      [key, '', 'rc_live_no_such_key_of_anybody_at_all'].map((one) => run(one, args)),
    )
    expect(refused.map(({ exitCode }) => exitCode)).toEqual([1, 1, 1])
    expect(refused[0]?.stderr).toMatch(/plan/i)
    expect(refused[1]?.stderr).toContain('RATECARD_API_KEY')
    for (const { stdout, stderr } of refused) expect(stdout + stderr).not.toContain(key)
  })
})

interface Event {
  event: string
  [field: string]: unknown
}

function launch(key: string, args: readonly string[]) {
  return spawn(process.execPath, [program, ...args, '--json'], {
    env: {
      ...(key !== '' && { RATECARD_API_KEY: key }),
      RATECARD_BASE_URL: server.url,
      RATECARD_WEBHOOK_SECRET: secret,
    },
  })
}

async function run(key: string, args: readonly string[]) {
  const child = launch(key, args)
  const ended = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [exitCode] = (await ended) as [number]
  return { exitCode, stdout, stderr }
}

/** Until it says that it is ready. */
async function start(key: string, args: readonly string[]) {
  const child = launch(key, args)
  onTestFinished(() => void child.kill('SIGKILL'))
  const events: Event[] = []
  createInterface(child.stdout).on('line', (line) => events.push(JSON.parse(line) as Event))
  await expect.poll(() => events.some(({ event }) => event === 'ready'), patience).toBe(true)
  return {
    events,
    /** As Ctrl+C does. @returns what it said last */
    stop: async (): Promise<Event> => {
      const ended = once(child, 'close')
      child.kill('SIGINT')
      expect((await ended)[0]).toBe(0)
      return events.at(-1)!
    },
  }
}

async function startReceiver(wantedPort?: number) {
  const received: { headers: Record<string, unknown>; titles: string[] }[] = []
  let status = 204
  const listener: Server = createServer((req, res) => {
    void buffer(req).then((body) => {
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      expect(req.headers['x-svc-signature']).toBe(`sha256=${signature}`)
      const { changes } = JSON.parse(body.toString()) as { changes: { title: string }[] }
      received.push({ headers: req.headers, titles: changes.map(({ title }) => title) })
      res.writeHead(status).end()
    })
  }).listen(wantedPort ?? (await freePort()), '127.0.0.1')
  await once(listener, 'listening')
  const close = async () => {
    listener.closeAllConnections()
    await new Promise((resolve) => listener.close(resolve))
  }
  onTestFinished(close)
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`,
    titles: () => received.map(({ titles }) => titles),
    headers: () => received.map(({ headers }) => headers),
    answers: (other: number) => void (status = other),
    close,
  }
}
