import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createAddressGuard } from '@ratecard/contract/addresses'
import { createGuardedAgent } from '../../src/features/webhooks/guarded-agent.ts'
import { sendWebhook, type SendResult } from '../../src/features/webhooks/send-webhook.ts'
import { webhookUrlProblem } from '@ratecard/contract/webhook-url'

// Hosts that lead, or may lead, to the inside of our network. The address of a webhook is refused at registration, or
// it is a name that is checked when the connection is opened. In both cases no connection is opened.

const isAllowed = createAddressGuard()

let connections = 0
const inside = createServer((socket) => {
  connections += 1
  socket.on('error', () => undefined).destroy()
})
let port: number
beforeAll(async () => {
  inside.listen(0, '127.0.0.1')
  await once(inside, 'listening')
  port = (inside.address() as AddressInfo).port
})
afterAll(() => void inside.close())
beforeEach(() => void (connections = 0))

/** Sends to a host as the worker does, on a network whose names all lead inside. */
async function dial(host: string): Promise<SendResult> {
  const agent = createGuardedAgent({
    isAllowedAddress: isAllowed,
    connectTimeoutMs: 1_000,
    connectionsMax: 1,
    resolve: (): Promise<LookupAddress[]> => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
  })
  onTestFinished(() => agent.destroy())
  const request = {
    url: `https://${host}:${port}/hook`,
    secret: 'a secret of sixteen',
    body: Buffer.from('{}'),
    deliveryId: 'dlv_1',
    at: new Date(),
    attempt: 1,
    hasStandardHeaders: false,
  }
  return sendWebhook(request, { agent, timeoutMs: 2_000, userAgent: 'test' })
}

const refused: [string, string[]][] = [
  [
    'loopback, in every spelling of IPv4',
    [
      ...['127.0.0.1', '127.1', '127.0.1', '127.255.255.254', '2130706433', '0x7f000001', '0x7f.1'],
      ...['0x7F.0.0.1', '017700000001', '0177.0.0.1', '127.0.0.1.', '127.0.0.1..', '１２７.0.0.1'],
      ...['127。0。0。1', '①②⑦.⓪.⓪.①', '%31%32%37.0.0.1'],
    ],
  ],
  ['loopback, in IPv6', ['[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[0000::0001]']],
  ['this machine by name', ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'ｌocalhost']],
  ['this network', ['0', '0.0.0.0', '0x0']],
  ['private', ['10.0.0.1', '10.1', '167772161', '172.16.0.1', '192.168.0.1', '100.64.0.1', '[fc00::1]']],
  [
    'metadata of clouds',
    [
      ...['169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '168.63.129.16'],
      ...['[fd00:ec2::254]', '[::ffff:169.254.169.254]', 'metadata.google.internal'],
    ],
  ],
  ['IPv4 mapped into IPv6', ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:FFFF:7F00:0001]']],
  ['IPv4 translated for IPv6 (SIIT)', ['[::ffff:0:127.0.0.1]', '[::ffff:0:7f00:1]', '[::ffff:0:a9fe:a9fe]']],
  ['IPv4-compatible', ['[::127.0.0.1]', '[::7f00:1]']],
  ['NAT64', ['[64:ff9b::127.0.0.1]', '[64:ff9b:1::7f00:1]']],
  ['6to4 and Teredo', ['[2002:7f00:1::]', '[2001:0:7f00:1::]']],
  ['link-local and site-local', ['[fe80::1]', '[fec0::1]', '[febf::1]']],
  ['names of the inside', ['intranet', 'printer.local', 'x.internal', 'x.INTERNAL.']],
]

describe.each(refused)('%s', (_what, hosts) => {
  test.each(hosts)('%s is refused where it is registered', (host) => {
    expect(webhookUrlProblem(`https://${host}/hook`, isAllowed)).toMatch(/public/)
    expect(webhookUrlProblem(`https://${host}:8443/hook?a=b`, isAllowed)).toMatch(/public/)
  })

  test.each(hosts)('%s is not dialled, though it be registered', async (host) => {
    expect(await dial(host)).toMatchObject({ status: null, errorClass: 'blocked_address' })
    expect(connections).toBe(0)
  })
})

describe('a name that looks public and leads inside is registered, and not dialled', () => {
  test.each([
    '127.0.0.1.nip.example',
    'localtest.example',
    'localhost.example',
    '10.example',
    'xn--a.example',
  ])('%s', async (host) => {
    expect(webhookUrlProblem(`https://${host}/hook`, isAllowed)).toBeNull()
    expect(await dial(host)).toMatchObject({ status: null, errorClass: 'blocked_address' })
    expect(connections).toBe(0)
  })
})

test.each([
  'https://user@hooks.example',
  'https://hooks.example@127.0.0.1/',
  'https://hooks.example\\@127.0.0.1/',
  'https://127.0.0.1#@hooks.example/',
  'https://[fe80::1%25eth0]/',
  'https://1.2.3.4.5/',
  'https://127.0.0.1%00.hooks.example/',
  'https://hooks.example\t.127.0.0.1/',
  'http://hooks.example/',
  'gopher://hooks.example/',
  'file:///etc/passwd',
  '//127.0.0.1/',
])('%j is no address of a webhook', (url) => {
  expect(webhookUrlProblem(url, isAllowed)).toEqual(expect.any(String))
})
