import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import openapiTS, { astToString } from 'openapi-typescript'

const contractFile = new URL('../openapi.yaml', import.meta.url)
export const generatedFolder = new URL('../contract/generated/', import.meta.url)

/** Every generated file by its name, made from openapi.yaml. Writes nothing. */
export async function generate(): Promise<Record<string, string>> {
  const contract = await readFile(contractFile, 'utf8')
  const hash = createHash('sha256').update(contract).digest('hex')
  // Fields with a default may be left out, by the pages too.
  const types = astToString(await openapiTS(contract, { silent: true, defaultNonNullable: false }))
  const header = [
    '// Made from openapi.yaml by scripts/generate.ts (openapi-typescript). Do not edit: change openapi.yaml and run `pnpm generate`.',
    `// SHA-256 of openapi.yaml: ${hash}`,
  ]
  return { 'types.ts': `${header.join('\n')}\n\n${types}` }
}

if (import.meta.main) {
  await mkdir(generatedFolder, { recursive: true })
  for (const [name, text] of Object.entries(await generate())) {
    await writeFile(new URL(name, generatedFolder), text)
  }
}
