import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { expect, onTestFinished, test } from 'vitest'
import { readSettings, SettingsError } from '../src/settings.ts'
import { connect, offline, program } from './support.ts'

// The program from outside: its command line, its stdout, and clients that speak no protocol.

function run(args: string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    input: '',
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

test('--version and --help are what they say', () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  expect(run(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' })
  const { status, stdout } = run(['--help'])
  expect(status).toBe(0)
  for (const word of ['--catalog', '--allow-http', 'RATECARD_BASE_URL', 'RATECARD_API_KEY', 'RATECARD_MCP_REQUESTS_PER_DAY', 'list_changes']) expect(stdout).toContain(word) // prettier-ignore
})

test.each([
  [['--catalogue'], {}, "Unknown option '--catalogue'"],
  [['extra'], {}, 'Unexpected argument'],
  [[], { RATECARD_BASE_URL: 'rc_live_0123456789abcdefghijABCDEF' }, 'RATECARD_BASE_URL is an address'],
  [[], { RATECARD_BASE_URL: 'http://prices.example' }, '--allow-http'],
  [[], { RATECARD_BASE_URL: 'https://user:pass@prices.example' }, 'without user info'],
  [[], { RATECARD_MCP_REQUESTS_PER_DAY: 'many' }, 'a whole number'],
])('%j with %j is a mistake, and says what to write', (args, env, sentence) => {
  const read = () => readSettings(args, env)
  expect(read).toThrow(SettingsError)
  expect(read).toThrow(sentence)
  expect(read).not.toThrow(/rc_live|pass@/)
})

test('a mistake ends it with 2, and is on stderr alone', () => {
  const { status, stdout, stderr } = run(['--catalogue'])
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toBe('Unknown option \'--catalogue\'.\nSee "ratecard-mcp --help".\n')
})

test.each([
  ['http://127.0.0.1:8080/', [], 'http://127.0.0.1:8080'],
  ['https://prices.example/of/us//', [], 'https://prices.example/of/us'],
  ['http://prices.example', ['--allow-http'], 'http://prices.example'],
])('%j with %j is the base URL %s', (baseUrl, args, expected) => {
  expect(readSettings(args, { RATECARD_BASE_URL: baseUrl })).toMatchObject({
    settings: { baseUrl: expected },
  })
})

test('it ends with its client', () => {
  expect(run([])).toMatchObject({ status: 0, stdout: '' })
})

test('what a client has left empty is not set', async () => {
  const { call } = await connect({ RATECARD_BASE_URL: '', RATECARD_API_KEY: ' ' })
  expect((await call('search_prices', { limit: 1 })).said.catalog.origin).toBe('shipped')
})

test('what does not exist is refused by the protocol, and the server goes on', async () => {
  const { client, call } = await offline()
  const unknown = await client.callTool({ name: 'drop_prices' }).catch((error: unknown) => error)
  expect(unknown instanceof McpError || (unknown as { isError: boolean }).isError).toBe(true)
  await expect(client.getPrompt({ name: 'none' })).rejects.toThrow()
  await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow()
  expect((await call('search_prices', { limit: 1 })).isError).toBe(false)
})

test('lines that are no message are logged, and stdout stays the protocol’s alone', async () => {
  const child = spawn(process.execPath, [program], { env: { PATH: process.env['PATH'] }, stdio: 'pipe' })
  onTestFinished(() => void child.kill())
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const lines = createInterface({ input: child.stdout })
  const send = (message: object | string) =>
    child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
  send('what do tokens cost?')
  send({ hello: 'world' })
  send('')
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  send({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
  const [answer] = (await once(lines, 'line')) as [string]
  expect(JSON.parse(answer)).toMatchObject({ id: 1, result: { serverInfo: { name: 'ratecard' } } })
  send({ jsonrpc: '2.0', id: 2, method: 'prices/steal' })
  const [refusal] = (await once(lines, 'line')) as [string]
  expect(JSON.parse(refusal)).toMatchObject({ id: 2, error: { code: -32_601 } })
  expect(log).toContain('A message cannot be read')
  child.stdin.end()
  const [code] = (await once(child, 'close')) as [number]
  expect(code).toBe(0)
})

test('a message without an end is not waited for, and the log says so', async () => {
  const child = spawn(process.execPath, [program], { env: { PATH: process.env['PATH'] }, stdio: 'pipe' })
  onTestFinished(() => void child.kill())
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  // It is gone before all is written.
  child.stdin.on('error', () => {})
  child.stdin.write('x'.repeat(11 * 2 ** 20))
  await once(child, 'close')
  expect(log).toContain('exceeded maximum size')
})
