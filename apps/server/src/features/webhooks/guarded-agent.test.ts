import type { LookupAddress } from 'node:dns'
import { createServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { authority, goodCertificate } from '../../../test/support/certificates.ts'
import { createAddressGuard, type AddressGuard } from '@ratecard/contract/addresses'
import { createGuardedAgent, type GuardedAgentOptions, type Resolve } from './guarded-agent.ts'
import { sendWebhook, type SendResult } from './send-webhook.ts'

// End to end, from the URL of a subscription to a socket. The endpoint on 127.0.0.1 stands for a public one where a
// test opens that address, and for a private one, that must get nothing, where it does not.

let connections = 0
let requests = 0
const sockets = new Set<Socket>()
const endpoint = createServer(goodCertificate, (_req, res) => {
  requests += 1
  res.writeHead(200).end()
})
let port: number

beforeAll(async () => {
  endpoint.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
  })
  endpoint.on('tlsClientError', () => undefined)
  port = await listen(endpoint, '127.0.0.1')
})
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  endpoint.close()
})
beforeEach(() => {
  connections = 0
  requests = 0
})

async function listen(server: Server, host: string, wanted = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(wanted, host, resolve))
  return (server.address() as AddressInfo).port
}

const onlyEndpoint: AddressGuard = (address) => address === '127.0.0.1'
const strict = createAddressGuard()
const addressesOf = (...addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

function agentWith(options: Partial<GuardedAgentOptions>) {
  const agent = createGuardedAgent({
    isAllowedAddress: strict,
    connectTimeoutMs: 1_000,
    connectionsMax: 10,
    extraCa: authority.cert,
    ...options,
  })
  onTestFinished(() => agent.destroy())
  return agent
}

async function sendBy(agent: ReturnType<typeof agentWith>, url: string): Promise<SendResult> {
  const body = Buffer.from('{}')
  const request = {
    url,
    secret: 'a secret of sixteen',
    body,
    deliveryId: 'dlv_1',
    at: new Date(),
    attempt: 1,
    hasStandardHeaders: false,
  }
  return sendWebhook(request, { agent, timeoutMs: 2_000, userAgent: 'test' })
}

const send = (url: string, options: Partial<GuardedAgentOptions> = {}) => sendBy(agentWith(options), url)

const refusal = { status: null, errorClass: 'blocked_address' }

describe('a name', () => {
  const named = () => `https://receiver.test:${port}/hook`

  test.each([
    ['public first', ['127.0.0.1', '127.0.0.2']],
    ['private first', ['127.0.0.2', '127.0.0.1']],
    ['private and IPv6 first', ['::1', '10.0.0.1', '127.0.0.1']],
  ])('with a public and a private address dials only the public one: %s', async (_name, addresses) => {
    const canary = createTcpServer()
    let touched = 0
    canary.on('connection', (socket) => {
      touched += 1
      socket.destroy()
    })
    await listen(canary, '127.0.0.2', port)
    onTestFinished(() => void canary.close())
    const resolve: Resolve = () => Promise.resolve(addressesOf(...addresses))
    expect(await send(named(), { isAllowedAddress: onlyEndpoint, resolve })).toMatchObject({ status: 200 })
    expect({ touched, requests }).toEqual({ touched: 0, requests: 1 })
  })

  test('with private addresses only is refused, and they get nothing', async () => {
    const resolve: Resolve = () => Promise.resolve(addressesOf('127.0.0.1', '::1', '10.0.0.1'))
    const result = await send(named(), { resolve })
    expect(result).toMatchObject(refusal)
    expect(result.error).not.toMatch(/127|10\.0|receiver/)
    expect(connections).toBe(0)
  })

  test('that is refused says the same in the same time, whatever the private address is', async () => {
    const errors = new Set<unknown>()
    for (const address of ['127.0.0.1', '10.255.255.1', '169.254.169.254', 'fd00::1']) {
      const { durationMs, ...result } = await send(named(), {
        resolve: () => Promise.resolve(addressesOf(address)),
      })
      errors.add(JSON.stringify(result))
      expect(durationMs).toBeLessThan(200)
    }
    expect(errors.size).toBe(1)
  })

  test('that led to a public address and leads to a private one later is refused then', async () => {
    const answers = ['127.0.0.1', '127.0.0.2', '127.0.0.1']
    const resolve: Resolve = () => Promise.resolve(addressesOf(answers.shift() ?? '127.0.0.2'))
    const isAllowedAddress = onlyEndpoint
    // A connection of its own each time.
    expect(await send(named(), { isAllowedAddress, resolve })).toMatchObject({ status: 200 })
    expect(await send(named(), { isAllowedAddress, resolve })).toMatchObject(refusal)
    expect(await send(named(), { isAllowedAddress, resolve })).toMatchObject({ status: 200 })
    expect(requests).toBe(2)
  })

  test('is resolved once for each connection: what was vetted is what is dialled', async () => {
    let asked = 0
    // The next look-up gets a private address.
    const resolve: Resolve = () => {
      asked += 1
      return Promise.resolve(addressesOf(asked === 1 ? '127.0.0.1' : '127.0.0.2'))
    }
    expect(await send(named(), { isAllowedAddress: onlyEndpoint, resolve })).toMatchObject({ status: 200 })
    expect(asked).toBe(1)
  })

  test.each([[[]], [['not an address']], [['']]])('that resolves to %j is refused', async (addresses) => {
    expect(await send(named(), { resolve: () => Promise.resolve(addressesOf(...addresses)) })).toMatchObject(
      refusal,
    )
  })

  test.each(['localhost', 'localhost.', 'LOCALHOST'])('of this machine is refused: %s', async (host) => {
    const { status, errorClass } = await send(`https://${host}:${port}/`)
    expect(status).toBeNull()
    // Some systems do not know it with a dot.
    expect(host.endsWith('.') ? ['dns', 'blocked_address'] : ['blocked_address']).toContain(errorClass)
    expect(connections).toBe(0)
  })
})

describe('an address written as such is refused without a connection, in every spelling', () => {
  test.each([
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '017700000001',
    '0177.0.0.1',
    '１２７.０.０.１',
    '127。0。0。1',
    '①②⑦.⓪.⓪.①',
    '%31%32%37.0.0.1',
    '0',
    '0.0.0.0',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '169.254.169.254',
    '168.63.129.16',
    '10.0.0.1',
    '100.64.0.1',
    '192.168.0.1',
    '172.16.0.1',
    '224.0.0.1',
    '255.255.255.255',
  ])('%s', async (host) => {
    const result = await send(`https://${host}:${port}/`)
    expect(result).toMatchObject(refusal)
    expect(result.durationMs).toBeLessThan(500)
    expect(connections).toBe(0)
  })
})

describe('ranges that the operator opens', () => {
  test.each(['127.0.0.1', '2130706433', 'localhost', '[::ffff:127.0.0.1]'])('lead to %s', async (host) => {
    const isAllowedAddress = createAddressGuard(['127.0.0.0/8'])
    const result = await send(`https://${host}:${port}/`, { isAllowedAddress })
    // The certificate names no mapped address; what counts is that it was dialled.
    expect(host.startsWith('[') ? result.errorClass : result.status).toBe(host.startsWith('[') ? 'tls' : 200)
    expect(connections).toBe(1)
  })

  test('open nothing else', async () => {
    const isAllowedAddress = createAddressGuard(['10.0.0.0/8', '127.0.0.2/32'])
    expect(await send(`https://127.0.0.1:${port}/`, { isAllowedAddress })).toMatchObject(refusal)
    expect(connections).toBe(0)
  })
})

describe('connections', () => {
  const isAllowedAddress = onlyEndpoint
  let agent: ReturnType<typeof agentWith>
  beforeEach(() => {
    agent = createGuardedAgent({
      isAllowedAddress,
      connectTimeoutMs: 1_000,
      connectionsMax: 10,
      extraCa: authority.cert,
    })
  })
  afterEach(() => agent.destroy())

  test('are used again', async () => {
    for (let count = 0; count < 10; count += 1)
      expect(await sendBy(agent, `https://localhost:${port}/${count}`)).toMatchObject({ status: 200 })
    expect(requests).toBe(10)
    // A request that comes while the one before is being put away opens another.
    expect(connections).toBeLessThanOrEqual(2)
  })

  test('carry one request at a time', async () => {
    await Promise.all(
      Array.from({ length: 3 }, (_, count) => sendBy(agent, `https://localhost:${port}/${count}`)),
    )
    expect({ connections, requests }).toEqual({ connections: 3, requests: 3 })
  })
})
