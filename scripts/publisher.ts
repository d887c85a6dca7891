import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

// Who publishes the packages, and from where, is said once: in "publisher" of the root's package.json. This writes what
// follows from it into the packages, their READMEs and the entry for the MCP registry; with --release it refuses to
// publish what is still a placeholder.

interface Publisher {
  author: string
  /** Of the source, at GitHub or elsewhere: npm records of which repository a tarball was made. */
  repository: string
  /** Where the publisher's own Ratecard is, which serves /mcp. */
  server: string
  /** The name in the MCP registry, in a namespace that the publisher can prove: `io.github.<owner>/ratecard`. */
  mcpName: string
}

type Manifest = Record<string, unknown> & { name: string; version: string }

const root = fileURLToPath(new URL('../', import.meta.url))
const packages = ['cost', 'mcp', 'sdk', 'webhooks']

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(join(root, path), 'utf8')) as T
}

/** What is to be written where, by its path in the repository. */
export async function publisherFiles(): Promise<Map<string, string>> {
  const { publisher } = await readJson<{ publisher: Publisher }>('package.json')
  const files = new Map<string, string>()
  for (const name of packages) {
    const folder = `packages/${name}`
    const manifest = await readJson<Manifest>(`${folder}/package.json`)
    files.set(`${folder}/package.json`, toText(withPublisher(manifest, folder, publisher)))
    if (name === 'mcp') files.set(`${folder}/server.json`, toText(registryEntry(manifest, folder, publisher)))
    for (const file of await readdir(join(root, folder), { recursive: true })) {
      if (!/^(README|examples\/README)\.md$/.test(file)) continue
      const text = await readFile(join(root, folder, file), 'utf8')
      const addressed = text.replaceAll(/https:\/\/[^\s"]+(?=\/mcp")/g, publisher.server)
      files.set(
        `${folder}/${file}`,
        addressed.replaceAll(/https:\/\/[^\s)]+(?=\/blob\/main\/)/g, publisher.repository),
      )
    }
  }
  return files
}

/** After the licence, so that the diff of another publisher is these lines alone. */
function withPublisher(
  manifest: Manifest,
  folder: string,
  { author, repository, mcpName }: Publisher,
): Manifest {
  const fields = {
    author,
    homepage: `${repository}/tree/main/${folder}#readme`,
    bugs: `${repository}/issues`,
    repository: { type: 'git', url: `git+${repository}.git`, directory: folder },
    ...(folder.endsWith('/mcp') && { mcpName }),
  }
  const kept = Object.entries(manifest).filter(([name]) => !(name in fields))
  const at = kept.findIndex(([name]) => name === 'license') + 1
  return Object.fromEntries([...kept.slice(0, at), ...Object.entries(fields), ...kept.slice(at)]) as Manifest
}

/** For the MCP registry: the package, and the server that answers without one. */
function registryEntry({ name, version }: Manifest, folder: string, publisher: Publisher): object {
  const { repository, server, mcpName } = publisher
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: 'Ratecard',
    description: 'Prices of AI models: search, exact records, model names, and what a use costs.',
    version,
    websiteUrl: server,
    repository: {
      url: repository,
      source: new URL(repository).hostname.split('.').at(-2),
      subfolder: folder,
    },
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        environmentVariables: [
          { name: 'RATECARD_BASE_URL', description: 'Your Ratecard. Without it: the prices of the package.' },
          { name: 'RATECARD_API_KEY', description: 'Your key, for list_changes.', isSecret: true },
        ],
      },
    ],
    remotes: [{ type: 'streamable-http', url: `${server}/mcp` }],
  }
}

function toText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** The sentences that say what is still to be set; none: a release may go out. */
export function listPlaceholders(publisher: Publisher): string[] {
  return Object.entries<string>({ ...publisher }).flatMap(([name, value]) =>
    /\bexample\b/.test(value) ? [`"publisher.${name}" in package.json is still "${value}".`] : [],
  )
}

async function refusePlaceholders(): Promise<void> {
  const { publisher } = await readJson<{ publisher: Publisher }>('package.json')
  const placeholders = listPlaceholders(publisher)
  if (placeholders.length === 0) return
  console.error(
    `This cannot be published yet:\n${placeholders.join('\n')}\nSet them, run "pnpm generate" and commit: docs/releasing.md says what they are.`,
  )
  process.exitCode = 1
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { release: { type: 'boolean', default: false } } })
  if (values.release) await refusePlaceholders()
  else for (const [path, text] of await publisherFiles()) await writeFile(join(root, path), text)
}
