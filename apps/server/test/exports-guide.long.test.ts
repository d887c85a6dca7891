import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeExports } from '../src/exports/make-exports.ts'
import { createSigner } from '../src/exports/signature.ts'
import { packageRoot } from '../src/platform/paths.ts'
import { useApi } from './support/api.ts'
import { readBlocks } from './support/guide.ts'
import { pathWithoutPackages } from './support/image.ts'
import { useDatabase } from './support/postgres.ts'
import { environment, program } from './support/process.ts'
import { useCommands } from './support/use-commands.ts'

// The commands of what is written for each tool, as somebody copies them, against a server: the address is the only thing
// that is filled in. What cannot run here is named, and the section has to say so.

const page = (name: string) => new URL(`../../../${name}`, import.meta.url)
const pages = ['docs/exports.md', 'docs/duckdb.md', 'docs/litellm.md', 'README.md']

/** By how a command begins. */
const notHere: readonly string[] = ['kubectl ', 'nemo-relay ']

const database = useDatabase()
const api = useApi(database)
const { run } = useCommands(database)
let folder = ''
beforeAll(async () => {
  expect(await run('feed run genai-prices')).toMatchObject({ exitCode: 0 })
  await makeExports(database.db, createSigner('secret'))
  // Where programs find the packages of the server.
  folder = await mkdtemp(join(packageRoot, 'node_modules/.exports-guide-'))
  await mkdir(join(folder, 'bin'))
  const shim = (name: string, script: string) =>
    writeFile(join(folder, 'bin', name), `#!/bin/sh\nexec '${process.execPath}' ${script} "$@"\n`, {
      mode: 0o755,
    })
  await shim('ratecard', `'${program}'`)
  // Its engine, without its shell.
  await shim('duckdb', `'${fileURLToPath(new URL('support/duckdb-process.ts', import.meta.url))}'`)
  await writeFile(join(folder, 'discounts.json'), fenced(await read('docs/exports.md'), 'json')[0]!)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const read = (name: string) => readFile(page(name), 'utf8')
const fill = (text: string) => text.replaceAll(/https:\/\/<server>|http:\/\/localhost:8080/g, api.url)

function fenced(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([^\`]*)^\`\`\`$`, 'gm'))].map(([, code]) => code!)
}

async function inShell(script: string): Promise<{ code: number; said: string }> {
  const PATH = [join(folder, 'bin'), ...pathWithoutPackages()].join(':')
  const env = { ...environment({ DATABASE_URL: database.url, FEED_SOURCES: '[]', INIT_CWD: folder }), PATH }
  return new Promise((resolve) =>
    execFile('bash', ['-eo', 'pipefail', '-c', script], { cwd: folder, env }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), said: out + err }),
    ),
  )
}

const blocks = (
  await Promise.all(
    pages.map(async (name) => (await readBlocks(page(name))).map((block) => ({ name, ...block }))),
  )
)
  .flat()
  // Of the README the walk of the first start has the others.
  .filter(({ name, commands }) => name !== 'README.md' || commands.some((line) => line.includes('/exports/')))

describe('the commands of', () => {
  test.each(blocks.map((block) => [`${block.name}, ${block.section}, line ${block.line}`, block] as const))(
    '%s',
    async (_, { name, section, commands }) => {
      const left = commands.filter((command) => notHere.some((start) => command.startsWith(start)))
      const text = (await read(name)).split(/^#+ /m).find((part) => part.startsWith(`${section}\n`))!
      for (const command of left) expect(text, command).toMatch(/^.*Not tried: .*/m)
      const { code, said } = await inShell(
        fill(commands.filter((command) => !left.includes(command)).join('\n')),
      )
      expect(code, said).toBe(0)
    },
  )

  test('docs/exports.md, JavaScript', async () => {
    const [snippet, ...others] = fenced(await read('docs/exports.md'), 'js')
    expect(others).toEqual([])
    await writeFile(join(folder, 'snippet.mjs'), fill(snippet!))
    const { code, said } = await inShell(`'${process.execPath}' snippet.mjs`)
    expect(code, said).toBe(0)
    expect(said).toContain('total_price: 0.0035')
  })
})

test('they leave behind what they name', async () => {
  const sizes = await Promise.all(
    [
      'litellm.json',
      'model_prices.report.json',
      'bifrost.json',
      'prices.csv',
      'catalog.json',
      'focus.report.json',
      'prices.parquet',
    ].map(async (name) => (await readFile(join(folder, name))).length),
  )
  for (const size of sizes) expect(size).toBeGreaterThan(100)
  const own = JSON.parse(await readFile(join(folder, 'model_prices.json'), 'utf8')) as Record<string, object>
  expect(own['openai/gpt-4o']).toMatchObject({ input_cost_per_token: 2e-6, output_cost_per_token: 8e-6 })
})

test('each tool has a section with what can run, or says what was not tried', async () => {
  const text = await read('docs/exports.md')
  const sections = text.slice(text.indexOf('## Each tool')).split(/^### /m).slice(1)
  const names = sections.map((section) => section.split('\n')[0]!)
  const titles = ['LiteLLM', 'genai-prices', 'models.dev', 'Bifrost', 'agentgateway', 'OpenLIT', 'Langfuse']
  expect(names).toEqual([...titles, 'NeMo Relay', 'new-api', 'FOCUS', 'Parquet, CSV, SQLite'])
  for (const [index, section] of sections.entries())
    expect(section, names[index]).toMatch(/^```(?:sh|js)$|duckdb\.md/m)
})
