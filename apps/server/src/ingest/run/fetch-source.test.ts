import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createRawServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { createAddressGuard } from '@ratecard/contract/addresses'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { authority, goodCertificate } from '../../../test/support/certificates.ts'
import { fetchSource, readSourceFile, type FetchOptions } from './fetch-source.ts'

const folder = mkdtempSync(join(tmpdir(), 'ratecard-fetch-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A server that answers each request by the next of these, the last one again and again. */
async function site(...answers: RequestListener[]): Promise<{ url: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    const answer = answers[Math.min(requests.length, answers.length) - 1]
    answer?.(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

const says =
  (body: string | Buffer, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(200, headers).end(body)
const status =
  (code: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(code, headers).end('about an error')

const quick = (limits: FetchOptions['limits'] = {}): FetchOptions => ({
  limits: { retryMs: [1, 1], timeoutMs: 5_000, ...limits },
})

describe('an answer', () => {
  test('is text with the name of its file and what tells it from the next', async () => {
    const { url, requests } = await site(
      says('{"é":1}', { etag: '"a1"', 'last-modified': 'Wed, 01 Jul 2026 00:00:00 GMT' }),
    )
    expect(await fetchSource(`${url}/data/prices.json?raw=1`)).toEqual({
      file: { text: '{"é":1}', name: 'prices.json' },
      validators: { etag: '"a1"', lastModified: 'Wed, 01 Jul 2026 00:00:00 GMT' },
    })
    expect(requests[0]?.headers['user-agent']).toMatch(/^Ratecard-Feed\/[\d.]+$/)
    expect(requests[0]?.headers).not.toHaveProperty('if-none-match')
  })

  test('is asked for by somebody who can be found', async () => {
    const { url, requests } = await site(says('{}'))
    await fetchSource(url, { contact: 'https://prices.example' })
    expect(requests[0]?.headers['user-agent']).toMatch(
      /^Ratecard-Feed\/[\d.]+ \(\+https:\/\/prices\.example\)$/,
    )
  })

  test('is not sent again when the server says that it is as it was', async () => {
    const { url, requests } = await site(status(304))
    const known = { etag: 'W/"a1"', lastModified: 'Wed, 01 Jul 2026 00:00:00 GMT' }
    expect(await fetchSource(url, { known })).toEqual({ file: null, validators: known })
    expect(requests[0]?.headers).toMatchObject({
      'if-none-match': 'W/"a1"',
      'if-modified-since': 'Wed, 01 Jul 2026 00:00:00 GMT',
    })
  })

  test('that says "as it was" to who knows nothing is a failure', async () => {
    const { url } = await site(status(304))
    await expect(fetchSource(url)).rejects.toThrow('it answers 304')
  })

  test('packed with gzip is unpacked, whether as a file or on the way', async () => {
    const packed = gzipSync('{}')
    const { url } = await site(says(packed), says(packed, { 'content-encoding': 'gzip' }))
    expect((await fetchSource(`${url}/a.json.gz`)).file).toEqual({ text: '{}', name: 'a.json' })
    expect((await fetchSource(`${url}/a.json`)).file).toEqual({ text: '{}', name: 'a.json' })
  })

  test('may end with its connection, though it is unpacked more slowly than it comes', async () => {
    const text = randomBytes(4_000_000).toString('hex')
    const packed = gzipSync(text)
    const server = createRawServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => {
        socket.write('HTTP/1.0 200 OK\r\nContent-Encoding: gzip\r\n\r\n')
        socket.end(packed)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    expect((await fetchSource(`http://127.0.0.1:${port}/`)).file?.text === text).toBe(true)
  })

  test('that is a tar archive, whatever its name, is its bytes', async () => {
    const archive = Buffer.alloc(1_024)
    archive.write('prices/openai.json', 0)
    archive.write('ustar', 257)
    const { url } = await site(says(gzipSync(archive)), says(archive))
    expect((await fetchSource(`${url}/refs/main`)).file).toEqual({ bytes: archive, name: 'main' })
    expect((await fetchSource(`${url}/a.tar`)).file).toEqual({ bytes: archive, name: 'a.tar' })
  })

  test.each([
    ['bytes that are no text', says(Buffer.from([0x7b, 0xff, 0x7d])), /not text in UTF-8/],
    ['too much', says('x'.repeat(1_001)), /larger than 0.001 MB/],
    ['too much, unpacked', says(gzipSync('x'.repeat(100_000))), /unpacked it is larger than 0.001 MB/],
    [
      'too much, unpacked on the way',
      says(gzipSync('x'.repeat(100_000)), { 'content-encoding': 'gzip' }),
      /it is larger than 0.001 MB/,
    ],
    ['a damaged gzip file', says(gzipSync('x'.repeat(100)).subarray(0, 20)), /damaged gzip/],
    ['a page that is not there', status(404), /it answers 404/],
    ['a refusal', status(403), /it answers 403/],
    ['a redirect to nowhere', status(302), /does not say where/],
    ['a redirect to a file', status(302, { location: 'file:///etc/passwd' }), /not an http or https/],
  ])('that is %s is refused at once', async (_, answer, message) => {
    const { url, requests } = await site(answer)
    const reading = fetchSource(`${url}/a`, quick({ bytesMax: 1_000 }))
    await expect(reading).rejects.toThrow(message)
    await expect(reading).rejects.toThrow(`Cannot read ${url}/a: `)
    expect(requests).toHaveLength(1)
  })

  test('that redirects in a circle is given up', async () => {
    const { url, requests } = await site(status(302, { location: '/again' }))
    await expect(fetchSource(url)).rejects.toThrow('it redirects more than 5 times')
    expect(requests).toHaveLength(6)
  })

  test('is found where a redirect leads', async () => {
    const { url, requests } = await site(status(301, { location: '/b/c.json' }), says('[]', { etag: '"b"' }))
    expect(await fetchSource(`${url}/a`)).toMatchObject({ file: { text: '[]', name: 'c.json' } })
    expect(requests.map((request) => request.url)).toEqual(['/a', '/b/c.json'])
  })
})

describe('a key', () => {
  const bearer = 'sk-hunter2'
  const keysOf = (requests: IncomingMessage[]) => requests.map(({ headers }) => headers.authorization)

  test('goes to the origin of the address alone, and stays behind at a redirect elsewhere', async () => {
    const other = await site(says('[]'))
    const { url, requests } = await site(
      status(302, { location: '/b' }),
      status(302, { location: `${other.url}/c` }),
    )
    expect((await fetchSource(`${url}/a`, { bearer })).file?.text).toBe('[]')
    expect(keysOf(requests)).toEqual([`Bearer ${bearer}`, `Bearer ${bearer}`])
    expect(keysOf(other.requests)).toEqual([undefined])
  })

  test('does not come back once the way has led elsewhere', async () => {
    const home: string[] = []
    const other = await site((_, response) => void response.writeHead(302, { location: home[0] }).end())
    const { url, requests } = await site(status(302, { location: other.url }), says('[]'))
    home.push(`${url}/again`)
    expect((await fetchSource(url, { bearer })).file?.text).toBe('[]')
    expect(keysOf(requests)).toEqual([`Bearer ${bearer}`, undefined])
  })

  test('goes over TLS, and not to another port of the same host', async () => {
    setDefaultCACertificates([...getCACertificates(), authority.cert])
    onTestFinished(() => setDefaultCACertificates(getCACertificates('bundled')))
    const seen: (string | undefined)[] = []
    const listen = async (answer: RequestListener) => {
      const server = createTlsServer(goodCertificate, (request, response) => {
        seen.push(request.headers.authorization)
        answer(request, response)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void server.close())
      return `https://localhost:${(server.address() as AddressInfo).port}`
    }
    const other = await listen(says('[]'))
    const url = await listen(status(307, { location: other }))
    expect((await fetchSource(url, { ...quick(), bearer })).file?.text).toBe('[]')
    expect(seen).toEqual([`Bearer ${bearer}`, undefined])
  })

  test.each([status(401), status(500), (request: IncomingMessage) => void request.socket.destroy()])(
    'is in no error',
    async (answer) => {
      const { url } = await site(answer)
      const error: unknown = await fetchSource(url, { ...quick(), bearer }).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(Error)
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('hunter2')
    },
  )
})

describe('a redirect', () => {
  // For these tests one address of this machine is public, and all others are private.
  const isPublicAddress = createAddressGuard(['127.0.0.2/32'])
  const publicUrl = (url: string) => url.replace('127.0.0.1', '127.0.0.2')

  test.each(['127.0.0.1', 'localhost'])('does not lead from a public address to %s', async (host) => {
    const inside = await site(says('[]'))
    const { url, requests } = await site(
      status(302, { location: '/b' }),
      status(302, { location: inside.url.replace('127.0.0.1', host) }),
    )
    const reading = fetchSource(`${publicUrl(url)}/a`, { ...quick(), isPublicAddress })
    await expect(reading).rejects.toThrow(
      `Cannot read ${publicUrl(url)}/a: it redirects from a public address to a private one.`,
    )
    expect([requests, inside.requests].map(({ length }) => length)).toEqual([2, 0])
  })

  test('leads from a private address to others, and to a public one', async () => {
    const last = await site(says('[]'))
    const { url } = await site(
      status(302, { location: '/b' }),
      status(302, { location: publicUrl(last.url) }),
    )
    expect((await fetchSource(`${url}/a`, { ...quick(), isPublicAddress })).file?.text).toBe('[]')
  })

  test('does not lead from https to http', async () => {
    setDefaultCACertificates([...getCACertificates(), authority.cert])
    onTestFinished(() => setDefaultCACertificates(getCACertificates('bundled')))
    const plain = await site(says('[]'))
    const server = createTlsServer(goodCertificate, (request, response) => {
      const location = request.url === '/a' ? '/b' : plain.url
      response.writeHead(302, { location }).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    await expect(fetchSource(`https://localhost:${port}/a`, quick())).rejects.toThrow(
      'it redirects from https to http',
    )
    expect(plain.requests).toHaveLength(0)
  })
})

describe('a failure that passes', () => {
  test.each<[string, RequestListener]>([
    ['500', status(500)],
    ['429', status(429)],
    ['a connection that is cut', (request) => void request.socket.destroy()],
    [
      'an answer that breaks off',
      (request, response) => {
        response.writeHead(200, { 'content-length': '100' })
        response.write('{"a":', () => request.socket.destroy())
      },
    ],
  ])('is tried again: %s', async (_, failure) => {
    const { url, requests } = await site(failure, failure, says('[]'))
    expect((await fetchSource(url, quick())).file?.text).toBe('[]')
    expect(requests).toHaveLength(3)
  })

  test('is told after the last attempt', async () => {
    const { url, requests } = await site(status(503))
    await expect(fetchSource(url, quick())).rejects.toThrow(`Cannot read ${url}/: it answers 503.`)
    expect(requests).toHaveLength(3)
    const cut = await site((request) => void request.socket.destroy())
    await expect(fetchSource(cut.url, quick())).rejects.toThrow('no connection')
  })

  test('is waited out as long as the server asks, up to a limit', async () => {
    const soon = await site(status(503, { 'retry-after': '1' }), says('[]'))
    const startMs = performance.now()
    expect((await fetchSource(soon.url, quick())).file?.text).toBe('[]')
    expect(performance.now() - startMs).toBeGreaterThan(950)

    const late = await site(status(429, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }))
    await expect(fetchSource(late.url, quick())).rejects.toThrow(
      /it answers 429 and asks to wait 3[56]\d\d s/,
    )
    expect(late.requests).toHaveLength(1)
  })

  test('is a server that sends nothing, or never comes to an end', async () => {
    const silent = await site(() => undefined)
    const message = 'it took longer than 0.05 s'
    await expect(fetchSource(silent.url, quick({ timeoutMs: 50 }))).rejects.toThrow(message)
    expect(silent.requests).toHaveLength(3)
    const endless = await site((_, response) => void response.writeHead(200).write('['))
    await expect(fetchSource(endless.url, quick({ timeoutMs: 50 }))).rejects.toThrow(message)
  })

  test('is not waited out by who is told to stop', async () => {
    const { url } = await site(status(503, { 'retry-after': '30' }))
    const stop = new AbortController()
    const reading = fetchSource(url, { signal: stop.signal })
    setTimeout(() => stop.abort(), 50)
    await expect(reading).rejects.toThrow(/abort/)
  })
})

describe('an address', () => {
  test.each(['ftp://x/y', 'prices.json', 'javascript:1', ''])('"%s" is refused', async (address) => {
    await expect(fetchSource(address)).rejects.toThrow(
      'it is not an http or https address, nor that of a file',
    )
  })

  test('with a password or a token is not repeated in the error', async () => {
    const secret = await fetchSource('http://me:hunter2@127.0.0.1:1/a').catch(String)
    expect(secret).toContain('a name or password')
    expect(secret).not.toContain('hunter2')
    const { url } = await site(status(404))
    expect(await fetchSource(`${url}/a?token=hunter2`).catch(String)).not.toContain('hunter2')
  })

  test('may be that of a file', async () => {
    const path = join(folder, 'prices.json')
    await writeFile(path, '[1]')
    expect(await fetchSource(pathToFileURL(path).href)).toEqual({
      file: { text: '[1]', name: 'prices.json' },
      validators: { etag: null, lastModified: null },
    })
    await expect(fetchSource(pathToFileURL(`${path}.none`).href)).rejects.toThrow('there is no such file')
    await expect(fetchSource('file://host/prices.json')).rejects.toThrow('three slashes')
  })
})

describe('a file', () => {
  test('is unpacked, and refused when it is a folder, too large or no text', async () => {
    const path = join(folder, 'packed.json.gz')
    await writeFile(path, gzipSync('{"a":1}'))
    expect(await readSourceFile(path)).toEqual({ text: '{"a":1}', name: 'packed.json' })
    await expect(readSourceFile(folder)).rejects.toThrow(`Cannot read ${folder}: it is a folder.`)
    await expect(readSourceFile(path, { bytesMax: 5 })).rejects.toThrow('larger than')
    await writeFile(path, Buffer.from([0xff]))
    await expect(readSourceFile(path)).rejects.toThrow('not text')
  })
})
