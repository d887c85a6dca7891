import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { delimiter, join } from 'node:path'
import { checked, type Finding } from './findings.ts'
import { listen } from './programs.ts'

// What a customer sees of a mistake: a program that lets an error of the SDK pass, in every form of a call.

const bytesMax = 1_024
/** Stands for several addresses: a connection fails with an error for each. */
const byName = 'localhost'

/** A program's call, and what the error it ends with begins with. */
type Form = [call: string, error: string]

const forms: Record<string, Form> = {
  'no base URL': ['await new Ratecard().usage.get()', 'ConfigurationError'],
  'a bad option': ['await at("").usage.get({ maxRetries: -1 })', 'ConfigurationError'],
  await: ['await at("").usage.get()', 'AuthenticationError'],
  withResponse: ['await at("").usage.get().withResponse()', 'AuthenticationError'],
  'await a list': ['await at("").prices.list()', 'AuthenticationError'],
  'for await': ['for await (const price of at("/page").prices.list()) void price', 'AuthenticationError'],
  pages: ['for await (const page of at("/page").prices.list().pages()) void page', 'AuthenticationError'],
  toArray: ['await at("/page").prices.list().toArray({ limit: 1000 })', 'AuthenticationError'],
  next: ['const page = await at("/page").prices.list(); await page.next()', 'AuthenticationError'],
  poll: ['for await (const change of at("/page").changes.poll()) void change', 'AuthenticationError'],
  sync: ['for await (const price of at("/page").prices.sync()) void price', 'AuthenticationError'],
  catalog: ['await at("/page").catalog()', 'AuthenticationError'],
  create: ['await at("").webhooks.create({ url: "https://x.example", secret: "x" })', 'AuthenticationError'],
  'the name of the class': [
    'await at("").usage.get().catch((error) => { throw new Error(error.constructor.name) })',
    'Error: AuthenticationError',
  ],
  'the name of the client': ['throw new Error(new Ratecard().constructor.name)', 'Error: Ratecard'],
  'Promise.all': ['await Promise.all([at("").usage.get(), 1])', 'AuthenticationError'],
  'a used-up quota': ['await at("/quota").usage.get()', 'RateLimitError'],
  'a wrong shape': ['await at("/portal").usage.get()', 'InvalidResponseError'],
  'a long error page': ['await at("/html").usage.get({ maxRetries: 0 })', 'InternalServerError'],
  'a time-out': ['await at("/silent").usage.get({ timeoutMs: 20, maxRetries: 0 })', 'TimeoutError'],
  'an abort': ['await at("/silent").usage.get({ signal: AbortSignal.timeout(20) })', 'RequestAbortedError'],
  'a refused connection': ['await gone().usage.get({ maxRetries: 0 })', 'ConnectionError'],
}

/** Programs that end with the uncaught error. */
const formats: Record<string, (call: string) => string> = {
  mjs: (call) => `import { Ratecard } from '@ratecard/sdk'\n${helpers}\n// The call:\n${call}\n`,
  cjs: (call) =>
    `const { Ratecard } = require('@ratecard/sdk')\n${helpers}\nmain(); async function main() {\n${call}\n}\n`,
}
const callLine = 4

const helpers = [
  'const apiKey = "rc_live_0123456789abcdefghij"',
  'const at = (path) => new Ratecard({ apiKey, baseUrl: process.env.BASE_URL + path })',
  'const gone = () => new Ratecard({ apiKey, baseUrl: process.env.GONE_URL })',
].join('; ')

/** Every uncaught error is short, begins with the name of its class, and names the file and line of the call. */
export async function uncaughtErrors(folder: string): Promise<Finding[]> {
  const programs = join(folder, 'uncaught')
  await mkdir(programs)
  using server = await listen(createServer(answer), byName)
  const gone = await listen(createServer(), byName)
  gone[Symbol.dispose]()
  const env = { BASE_URL: server.origin, GONE_URL: gone.origin }
  const findings: Finding[] = []
  for (const [version, node] of await runtimes()) findings.push(await inRuntime(version, node, programs, env))
  return findings
}

async function inRuntime(
  version: string,
  node: string,
  folder: string,
  env: Record<string, string>,
): Promise<Finding> {
  const problems: string[] = []
  let longest = 0
  for (const [extension, program] of Object.entries(formats)) {
    for (const [name, [call, error]] of Object.entries(forms)) {
      const file = `${version}-${name.replaceAll(/\W/g, '-')}.${extension}`
      await writeFile(join(folder, file), program(call))
      const { stderr } = await printed(node, [join(folder, file)], env)
      const bytes = Buffer.byteLength(stderr)
      longest = Math.max(longest, bytes)
      const wrong = [
        bytes > bytesMax && `prints ${bytes} bytes`,
        !new RegExp(`^${error}\\b`, 'm').test(stderr) && `does not name ${error}`,
        !stderr.includes(`${file}:${callLine}:`) && 'does not name the line of the call',
      ].filter((problem) => problem !== false)
      if (wrong.length > 0)
        problems.push(`${name} (${extension}) ${wrong.join(', ')}:\n${stderr.slice(0, 2_000)}`)
    }
  }
  const limit = `${bytesMax.toLocaleString('en')} bytes`
  const subject = `@ratecard/sdk: uncaught errors, Node ${version}`
  return { ...checked(subject, `${longest.toLocaleString('en')} bytes`, problems), limit }
}

/** This Node, and those of other versions on the PATH. */
async function runtimes(): Promise<Map<string, string>> {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const found = folders.map((path) => join(path, 'node')).filter((path) => existsSync(path))
  const byVersion = new Map<string, string>()
  for (const node of [process.execPath, ...found]) {
    const { stdout } = await printed(node, ['-p', 'process.version'], {})
    if (!byVersion.has(stdout.trim())) byVersion.set(stdout.trim(), node)
  }
  return byVersion
}

async function printed(node: string, words: string[], env: Record<string, string>) {
  const child = spawn(node, words, { env: { PATH: process.env['PATH'] ?? '', ...env } })
  const text = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text.stdout += part))
  child.stderr.setEncoding('utf8').on('data', (part: string) => (text.stderr += part))
  await once(child, 'close')
  return text
}

function answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  response.setHeader('x-request-id', '0b3c9e60-7d53-4b8b-8f0a-1d6f4e6f9a11')
  if (pathname.startsWith('/silent')) return
  if (pathname.startsWith('/portal')) return void response.end('{"message":"hello"}')
  if (pathname.startsWith('/html'))
    return void response.writeHead(500).end('<p>Bad gateway</p>\n'.repeat(5_000))
  if (pathname.startsWith('/page') && !searchParams.has('cursor')) {
    const row = { id: 'a', resource_id: 'a', updated_at: '2026-11-21T00:00:00.000000Z' }
    return void response.end(JSON.stringify({ data: [row], pagination: { next_cursor: 'next' } }))
  }
  const [status, headers, body] = pathname.startsWith('/quota') ? usedUp : refused
  response.writeHead(status, headers).end(JSON.stringify({ ...body, status }))
}

const refused = [401, {}, { error: 'unauthorized', message: 'Send a valid API key.' }] as const

const usedUp = [
  429,
  {
    'x-ratelimit-limit': '100',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': '1795305600',
    'retry-after': '3000',
  },
  {
    error: 'quota_exceeded',
    message: 'The daily quota of 100 requests is used up.',
    upgrade_url: 'https://api.ratecard.example/dashboard/billing',
    topup_url: 'https://api.ratecard.example/dashboard/billing#packs',
  },
] as const
