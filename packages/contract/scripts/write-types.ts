import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import openapiTS, { astToString, type OpenAPITSOptions } from 'openapi-typescript'

/** The text of `types.ts`, made from a contract. */
export async function buildTypes(contractFile: URL, options: OpenAPITSOptions = {}): Promise<string> {
  const contract = await readFile(contractFile, 'utf8')
  const hash = createHash('sha256').update(contract).digest('hex')
  const types = astToString(await openapiTS(contract, { silent: true, ...options }))
  return `// Made from openapi.yaml by scripts/generate.ts (openapi-typescript). Do not edit: change openapi.yaml and run \`pnpm generate\`.
// SHA-256 of openapi.yaml: ${hash}

${types}`
}

/** Writes generated files, given by name, to a folder. */
export async function writeFiles(folder: URL, files: Record<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(new URL(name, folder), text)
}
