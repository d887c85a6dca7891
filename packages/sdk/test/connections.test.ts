import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createRawServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ConnectionError, Ratecard } from '../src/index.ts'
import { failure, listen, serve, testKey, type Reply } from './support/server.ts'

const webhook = { url: 'https://hooks.customer.example', secret: 'a-long-random-secret' }

function failing(baseUrl: string): Promise<ConnectionError> {
  return failure(new Ratecard({ apiKey: testKey, baseUrl, maxRetries: 0 }).usage.get())
}

describe('a connection that fails says why, and where', () => {
  it('refused', async () => {
    const { url, server } = await serve(() => 500)
    await new Promise((resolve) => server.close(resolve))
    const error = await failing(url)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ code: 'ECONNREFUSED', mayHaveArrived: false, retryable: true, attempts: 1 })
    expect(error.message).toBe(`GET ${url}/v1/usage: connection refused (ECONNREFUSED).`)
    expect(error.cause).toBeInstanceOf(TypeError)
  })

  it('unknown host', async () => {
    const error = await failing('https://ratecard.invalid')
    expect(error).toMatchObject({ mayHaveArrived: false, retryable: true })
    expect(error.message).toMatch(
      /^GET https:\/\/ratecard\.invalid\/v1\/usage: unknown host \((ENOTFOUND|EAI_AGAIN)\)\.$/,
    )
  })

  it('certificate, and does not try again', async () => {
    const url = await listen(createSecureServer(await selfSigned()))
    let sent = 0
    const hooks = { onRequest: () => void sent++ }
    const baseUrl = url.replace('http:', 'https:')
    const error = await failure(new Ratecard({ apiKey: testKey, baseUrl, hooks }).usage.get())
    expect(error).toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      mayHaveArrived: false,
      retryable: false,
    })
    expect(error.message).toContain('untrusted certificate (DEPTH_ZERO_SELF_SIGNED_CERT)')
    expect(sent).toBe(1)
  })

  it('bad port', async () => {
    const error = await failing('http://localhost:6000')
    expect(error).toMatchObject({ mayHaveArrived: false, retryable: false })
    expect(error.code).toBeUndefined()
    expect(error.message).toBe('GET http://localhost:6000/v1/usage: port not allowed (bad port).')
  })

  it('TLS where there is none', async () => {
    const { url } = await serve(() => 500)
    const error = await failing(url.replace('http:', 'https:'))
    expect(error.message).toMatch(/TLS handshake failed \(\w+\)\.$/)
  })

  it('broken', async () => {
    const broken: Reply = (response) => response.socket!.destroy()
    const { url } = await serve(() => broken)
    const error = await failing(url)
    expect(error).toMatchObject({ mayHaveArrived: true, retryable: true })
    expect(error.message).toMatch(/connection broken \((UND_ERR_SOCKET|ECONNRESET)\)\.$/)
  })

  it('not at all, where it is closed with the last byte of a long answer', async () => {
    // A page of 500 changes with their evidence; random, as it must be long when it is packed.
    const data = Array.from({ length: 500 }, () => ({
      summary: randomBytes(600).toString('hex') + ' '.repeat(2_000),
    }))
    const text = JSON.stringify({ data, next_cursor: null })
    const packed = gzipSync(text, { level: 1 })
    const raw = createRawServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', (request) => {
        const isPacked = request.toString().includes('gzip')
        const coding = isPacked ? 'Content-Encoding: gzip\r\n' : ''
        socket.write(
          `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${coding}Connection: close\r\n\r\n`,
        )
        socket.end(isPacked ? packed : text)
      })
    })
    onTestFinished(() => void raw.close())
    await once(raw.listen(0, '127.0.0.1'), 'listening')
    const baseUrl = `http://127.0.0.1:${(raw.address() as AddressInfo).port}`
    const client = new Ratecard({ apiKey: testKey, baseUrl, maxRetries: 0, timeoutMs: 5_000 })
    for (let count = 0; count < 5; count += 1) expect((await client.changes.list()).data).toHaveLength(500)
  })

  const coded = (code: string) =>
    new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })

  it.each<[where: string, thrown: Error, says: string, mayHaveArrived: boolean]>([
    ['Node.js', coded('UND_ERR_CONNECT_TIMEOUT'), 'connection timed out', false],
    ['Node.js', coded('ETIMEDOUT'), 'connection timed out', true],
    ['Node.js', coded('EHOSTUNREACH'), 'unreachable host', true],
    ['Node.js', coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'untrusted certificate', false],
    ['Node.js', coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'untrusted certificate', false],
    ['Bun', Object.assign(new Error('Unable to connect.'), { code: 'ConnectionRefused' }), 'refused', false],
    [
      'Deno',
      new TypeError('error sending request: client error (Connect): Connection refused (os error 111)'),
      'connection refused',
      false,
    ],
    [
      'Deno',
      new TypeError('error sending request: client error (Connect): dns error: failed to lookup address'),
      'unknown host',
      false,
    ],
    [
      'Deno',
      new TypeError('error sending request: client error (Connect): invalid peer certificate: UnknownIssuer'),
      'untrusted certificate',
      false,
    ],
    ['Deno', new TypeError('Fetch failed: Requests to port 6000 are blocked'), 'port not allowed', false],
    ['Workers', new Error('Network connection lost.'), 'connection broken', true],
    ['a browser', new TypeError('Failed to fetch'), 'connection failed (Failed to fetch)', true],
    ['nowhere', new Error(''), 'connection failed.', true],
  ])('as %s puts it: %s', async (_, thrown, says, mayHaveArrived) => {
    const fetch = () => Promise.reject(thrown)
    const baseUrl = 'https://api.ratecard.example'
    const error = await failure<ConnectionError>(
      new Ratecard({ apiKey: testKey, baseUrl, fetch, maxRetries: 0 }).webhooks.create(webhook),
    )
    expect(error.message).toContain(says)
    expect(error.mayHaveArrived).toBe(mayHaveArrived)
  })

  it('never with the key', async () => {
    const fetch = (url: string) =>
      Promise.reject(new Error(`cannot reach ${url} with ${testKey}`, { cause: new Error(testKey) }))
    const baseUrl = `https://api.ratecard.example/${testKey}`
    const error = await failure(new Ratecard({ apiKey: testKey, baseUrl, fetch, maxRetries: 0 }).usage.get())
    expect(
      inspect(error, { depth: null, showHidden: true }) + error.stack + JSON.stringify(error),
    ).not.toContain(testKey)
  })
})

async function selfSigned(): Promise<{ key: string; cert: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'ratecard-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const request = 'req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost'.split(' ')
  execFileSync('openssl', [...request, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
}
