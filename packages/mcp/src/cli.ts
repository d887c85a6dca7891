#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { help } from './help.ts'
import { createServer } from './server.ts'
import { readSettings, SettingsError, type Settings } from './settings.ts'

// An MCP server on stdin and stdout. What is for people goes to stderr: stdout is the protocol's alone.

process.exitCode = await run(process.argv.slice(2))

/** @returns 2: the command makes no sense */
async function run(args: readonly string[]): Promise<number> {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  try {
    const start = readSettings(args, process.env)
    if ('show' in start) process.stdout.write(start.show === 'help' ? help : `${version}\n`)
    else await serve(start.settings, version)
    return 0
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    process.stderr.write(`${error.message}\nSee "ratecard-mcp --help".\n`)
    return 2
  }
}

async function serve(settings: Settings, version: string): Promise<void> {
  const server = createServer(settings, version)
  const transport = new StdioServerTransport()
  // A client that is gone reads nothing more, and waits for nothing.
  const end = () => process.exit()
  process.stdout.on('error', end)
  process.stdin.once('end', end)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  server.server.onerror = (error) => say(`A message cannot be read: ${error.message.slice(0, 500)}`)
  server.server.onclose = end
  await server.connect(transport)
  say(`${version}, ${describePlace(settings)}, ${settings.apiKey === null ? 'no key' : 'with a key'}.`)
  if (process.stdin.isTTY) say('A client has to start this: see --help. Ctrl+C ends it.')
}

function describePlace({ snapshot, baseUrl }: Settings): string {
  if (snapshot !== null) return 'prices of a snapshot'
  return baseUrl === null ? 'prices that come with this program' : `prices of ${new URL(baseUrl).host}`
}

function say(text: string): void {
  process.stderr.write(`ratecard-mcp: ${text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')}\n`)
}
