import { build } from 'esbuild'
import { gzipSync } from 'node:zlib'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ConfigurationError, Ratecard } from '../src/index.ts'
import { failure, testKey, usage } from './support/server.ts'

const baseUrl = 'https://api.ratecard.example'
const browserAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140 Safari/537.36'

function pretend(name: 'navigator' | 'process', value: unknown): void {
  vi.stubGlobal(name, value)
  onTestFinished(() => void vi.unstubAllGlobals())
}

describe('msw', () => {
  it('intercepts a client that was made before it started', async () => {
    const client = new Ratecard({ apiKey: testKey, baseUrl })
    const server = setupServer(http.get(`${baseUrl}/v1/usage`, () => HttpResponse.json(usage)))
    server.listen()
    onTestFinished(() => void server.close())
    expect(await client.usage.get()).toEqual(usage)
  })
})

describe('the browser guard', () => {
  const answer = { ...usage, status: 'ok' }
  const fetch = () => Promise.resolve(new Response(JSON.stringify(answer)))

  it('refuses calls with a key in a web page, and lets health through', async () => {
    const client = new Ratecard({ apiKey: testKey, baseUrl, fetch })
    pretend('process', undefined)
    pretend('navigator', { userAgent: browserAgent })
    const error = await failure(client.usage.get())
    expect(error).toBeInstanceOf(ConfigurationError)
    expect(error.message).toContain('dangerouslyAllowBrowser')
    expect(await client.health()).toEqual(answer)
  })

  it('can be switched off, and no user agent is set in a web page', async () => {
    const headers: Record<string, string>[] = []
    const client = new Ratecard({
      apiKey: testKey,
      baseUrl,
      dangerouslyAllowBrowser: true,
      fetch: (_, init) => (headers.push(init.headers), fetch()),
    })
    pretend('process', undefined)
    pretend('navigator', { userAgent: browserAgent })
    await client.usage.get()
    expect(Object.keys(headers[0]!).sort()).toEqual(['accept', 'authorization'])
  })

  it.each(['Cloudflare-Workers', 'Deno/2.5.0', 'Bun/1.3.0', 'Node.js/24'])(
    'is not triggered by %s',
    async (userAgent) => {
      pretend('process', undefined)
      pretend('navigator', { userAgent })
      expect(await new Ratecard({ apiKey: testKey, baseUrl, fetch }).usage.get()).toEqual(answer)
    },
  )

  it('is not triggered by a page that Node.js simulates', async () => {
    pretend('navigator', {
      userAgent: 'Mozilla/5.0 (linux) AppleWebKit/537.36 (KHTML, like Gecko) jsdom/27.0.0',
    })
    expect(await new Ratecard({ apiKey: testKey, baseUrl, fetch }).usage.get()).toEqual(answer)
  })
})

describe('the size', () => {
  /** What is loaded at once. What is imported on demand is in a file of its own. */
  async function bundle(contents: string): Promise<number> {
    const stdin = { contents, resolveDir: new URL('../src', import.meta.url).pathname }
    const common = {
      bundle: true,
      minify: true,
      format: 'esm',
      splitting: true,
      outdir: '/',
      write: false,
    } as const
    const { outputFiles } = await build({ stdin, ...common })
    const loaded = outputFiles.filter(({ path }) => !path.includes('catalog-'))
    expect(loaded).toHaveLength(1)
    return gzipSync(loaded[0]!.contents, { level: 9 }).length
  }

  it('of the whole client is at most 8.6 KB, compressed', async () => {
    expect(await bundle("export * from './index.ts'")).toBeLessThanOrEqual(8.6 * 1024)
  })

  it('of one error class is at most 3 KB, compressed', async () => {
    expect(await bundle("export { RateLimitError } from './index.ts'")).toBeLessThanOrEqual(3 * 1024)
  })
})
