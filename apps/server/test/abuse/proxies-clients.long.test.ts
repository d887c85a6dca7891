import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../src/database/embedded.ts'
import { findProxy, startProxy, type ProxyName } from '../support/proxy.ts'

// The configurations of docs/proxies: whom they count as one client, and what they pass on of what a client says.

const connectionsMax = 5

describe.each(['nginx', 'haproxy'] as const)('%s', (name: ProxyName) => {
  const isMissing = findProxy(name) === null
  describe.skipIf(isMissing)(`in front${isMissing ? ` (skipped: ${name} is not installed)` : ''}`, () => {
    const ends: (() => Promise<void>)[] = []
    // It answers what it was sent.
    const upstream = createServer((req, res) => res.end(JSON.stringify(req.headers)))
    let url = ''
    let port = 0
    beforeAll(async () => {
      await once(upstream.listen(0, '127.0.0.1'), 'listening')
      const address = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
      port = await freePort()
      const clients = { port, connectionsMax }
      url = await startProxy(name, [{ url: address, adminUrl: address }], (end) => ends.push(end), {
        clients,
      })
    })
    afterAll(async () => {
      for (const end of ends.reverse()) await end()
      upstream.close()
    })

    /** Opens a connection from this address, and sends a part of a request on it. */
    async function hold(address: string): Promise<void> {
      const socket = connect(port, '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      socket.write(`${proxyLine(address)}POST / HTTP/1.1\r\nHost: r\r\nContent-Length: 9\r\n\r\n{`)
    }

    /** The first line of an answer, and nothing when the connection is cut. */
    async function ask(address: string): Promise<string> {
      const socket = connect(port, '127.0.0.1')
      let answer = ''
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
      socket.on('error', () => undefined)
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.write(`${proxyLine(address)}GET / HTTP/1.1\r\nHost: r\r\nConnection: close\r\n\r\n`)
      await closed
      return answer.split('\r\n', 1)[0]!
    }

    test('all addresses of an IPv6 /64 are one client, and each IPv4 address is', async () => {
      const isServed = async (address: string) => (await ask(address)).endsWith(' 200 OK')
      // What is asked may be let in before what was opened to be held, and take its place for good.
      const holdAndAsk = async (address: string) => {
        await hold(address)
        return isServed(address)
      }
      for (let host = 1; host <= connectionsMax; host += 1) {
        await hold(`2001:db8:0:1::${host}`)
        await hold(`203.0.113.${host}`)
      }
      await expect.poll(() => holdAndAsk('2001:db8:0:1:ffff::7')).toBe(false)
      expect(await isServed('2001:db8:0:2::1')).toBe(true)
      expect(await isServed('203.0.113.7')).toBe(true)
      for (let count = 1; count < connectionsMax; count += 1) await hold('203.0.113.1')
      await expect.poll(() => holdAndAsk('203.0.113.1')).toBe(false)
    })

    test('a client says neither its address nor its id nor its trace', async () => {
      const said = {
        'x-forwarded-for': '198.51.100.1',
        'x-request-id': 'made-up',
        traceparent: `00-${'deadbeef'.repeat(4)}-00f067aa0ba902b7-01`,
        tracestate: 'made=up',
      }
      const passed = (await (await fetch(url, { headers: said })).json()) as Record<string, string>
      expect(passed['x-forwarded-for']).toBe('127.0.0.1')
      expect(passed['x-request-id']).toMatch(/^[0-9a-f-]{32,36}$/)
      expect(passed).not.toHaveProperty('traceparent')
      expect(passed).not.toHaveProperty('tracestate')
    })
  })
})

/** Of the PROXY protocol. */
function proxyLine(address: string): string {
  const isIpv6 = address.includes(':')
  return `PROXY ${isIpv6 ? `TCP6 ${address} 2001:db8::ffff` : `TCP4 ${address} 192.0.2.1`} 40000 80\r\n`
}
