import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { listPlaceholders, publisherFiles } from '../../../scripts/publisher.ts'

// Who publishes is said once, and stands the same everywhere.

const root = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

test('packages, READMEs and the entry of the registry are of the publisher that package.json names', async () => {
  const files = await publisherFiles()
  expect([...files.keys()].filter((path) => path.endsWith('.json'))).toHaveLength(5)
  for (const [path, text] of files) expect(read(path), `${path}: run "pnpm generate"`).toBe(text)
})

test('no two programs have one name: whoever installs the server and the SDK has both', () => {
  const programs = ['apps/server', 'packages/cost', 'packages/mcp', 'packages/sdk'].flatMap((folder) =>
    Object.keys((JSON.parse(read(`${folder}/package.json`)) as { bin: object }).bin),
  )
  expect(programs).toEqual(['ratecard', 'ratecard-cost', 'ratecard-mcp', 'ratecard-sdk'])
})

// What the MCP registry wants, by its schema of 2025-12-11.
const address = z.string().regex(/^https:\/\/\S+$/)
const entrySchema = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/),
  websiteUrl: address,
  repository: z.strictObject({ url: address, source: z.enum(['github', 'gitlab']), subfolder: z.string() }),
  packages: z.tuple([
    z.strictObject({
      registryType: z.literal('npm'),
      identifier: z.string(),
      version: z.string(),
      runtimeHint: z.literal('npx'),
      transport: z.strictObject({ type: z.literal('stdio') }),
      environmentVariables: z.array(
        z.strictObject({ name: z.string(), description: z.string(), isSecret: z.boolean().optional() }),
      ),
    }),
  ]),
  remotes: z.tuple([z.strictObject({ type: z.literal('streamable-http'), url: address })]),
})

test('server.json is as the registry takes it, and of this package', () => {
  const entry = entrySchema.parse(JSON.parse(read('packages/mcp/server.json')))
  const manifest = JSON.parse(read('packages/mcp/package.json')) as Record<string, unknown>
  const [published] = entry.packages
  expect([manifest['mcpName'], manifest['name'], manifest['version']]).toEqual([
    entry.name,
    published.identifier,
    published.version,
  ])
  expect(entry.version).toBe(published.version)
  // A key is no secret by its name alone.
  expect(published.environmentVariables.find(({ name }) => name === 'RATECARD_API_KEY')?.isSecret).toBe(true)
  expect(new URL(entry.remotes[0].url).pathname).toBe('/mcp')
})

test('a placeholder is named, and nothing is published while there is one', () => {
  const set = { author: 'A', repository: 'https://github.com/acme/prices', server: 'https://prices.acme.com', mcpName: 'com.acme/prices' } // prettier-ignore
  expect(listPlaceholders(set)).toEqual([])
  expect(listPlaceholders({ ...set, author: 'a@b.example' })).toEqual([
    expect.stringContaining('publisher.author'),
  ])
  const { publisher } = JSON.parse(read('package.json')) as { publisher: typeof set }
  const isReady = listPlaceholders(publisher).length === 0
  const script = fileURLToPath(new URL('scripts/publisher.ts', root))
  const { status, stderr } = spawnSync(process.execPath, [script, '--release'], { encoding: 'utf8' })
  expect([status, stderr === '']).toEqual(isReady ? [0, true] : [1, false])
  if (!isReady) expect(stderr).toMatch(/^This cannot be published yet:\n[^]*docs\/releasing\.md/)
  for (const name of ['cost', 'mcp', 'sdk', 'webhooks']) {
    const { scripts } = JSON.parse(read(`packages/${name}/package.json`)) as {
      scripts: Record<string, string>
    }
    expect(scripts['prepublishOnly']).toBe('node ../../scripts/publisher.ts --release')
  }
})
