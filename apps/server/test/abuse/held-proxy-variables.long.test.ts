import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateSecretsKey } from '../../src/features/webhooks/secret-box.ts'
import { startTcpEndpoint, type BadEndpoint } from '../support/bad-endpoints.ts'
import { createCustomer } from '../support/actors.ts'
import { authorityFile } from '../support/certificates.ts'
import { request } from '../support/client.ts'
import { useDatabase } from '../support/postgres.ts'
import { litellmFile, startPriceSite, type PriceSite } from '../support/price-site.ts'
import { environment, startServer } from '../support/process.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'

// A proxy opens the connection in place of the server, so the guard on addresses would check the proxy's alone. Proxy
// variables are ignored, even those that Node itself reads when configured to.

const database = useDatabase()
const secret = 'a secret of sixteen'
const secretsKey = generateSecretsKey()
const inTime = { timeout: 60_000, interval: 50 }

let site: PriceSite
let receiver: Receiver
let proxy: BadEndpoint
let asked = 0
beforeAll(async () => {
  site = await startPriceSite()
  site.serve(litellmFile({ 'gpt-9': [5, 20] }))
  receiver = await startReceiver()
  proxy = await startTcpEndpoint((socket) => {
    asked += 1
    socket.once('data', () => socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n'))
  })
})
afterAll(() => Promise.all([site.close(), receiver.close(), proxy.close()]))

/** Every spelling of a proxy variable, without an exception list. */
function proxyVariables(): Record<string, string> {
  const address = `http://127.0.0.1:${proxy.port}`
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'GLOBAL_AGENT_HTTP_PROXY', 'npm_config_proxy']
  return Object.fromEntries(
    [...names, ...names.map((name) => name.toLowerCase())].map((name) => [name, address]),
  )
}

/** The ways to make Node itself read them. */
const ways: [string, Record<string, string>][] = [
  ['alone', {}],
  ['with NODE_USE_ENV_PROXY', { NODE_USE_ENV_PROXY: '1' }],
  ['with a flag, and memory settings', { NODE_OPTIONS: '--use-env-proxy --max-semi-space-size=16' }],
]

let usd = 5
test.each(ways)('variables of a proxy %s: prices are read and alerts arrive past it', async (way, more) => {
  asked = 0
  const before = site.statuses.length
  const server = await startServer({
    DATABASE_URL: database.url,
    SECRETS_KEY: secretsKey,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_CA_FILE: authorityFile,
    FEED_SOURCES: JSON.stringify([{ source: 'litellm', url: site.url, every: '1s' }]),
    ...proxyVariables(),
    ...more,
  })
  await expect.poll(() => site.statuses.length, inTime).toBeGreaterThan(before)
  const { key } = await createCustomer(database.db, { plan: 'developer' })
  const path = `/hook/${encodeURIComponent(way)}`
  const body = { url: receiver.url + path, secret, events: ['change.alert'] }
  const created = await request(server.url, '/v1/webhooks', { method: 'POST', key, body })
  expect(created.status).toBe(201)
  // A rise that one source alone is believed about at once, and that is alerted.
  usd *= 1.4
  site.serve(litellmFile({ 'gpt-9': [Number(usd.toFixed(6)), Number((4 * usd).toFixed(6))] }))
  await receiver.waitFor(1, { wanted: (received) => received.path === path })
  expect(await server.stop()).toBe(0)
  expect(asked).toBe(0)
})

test('the variables are good: a program that heeds them asks the proxy', async () => {
  asked = 0
  const env = environment({ ...proxyVariables(), NODE_USE_ENV_PROXY: '1' })
  const script = `fetch(${JSON.stringify(site.url)}).catch(() => console.log('refused'))`
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env })
  expect(stdout).toBe('refused\n')
  expect(asked).toBe(1)
})
