import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { buildInterface, type OpenApi } from './interface.ts'
import { buildTypes, writeFiles } from './write-types.ts'

const contractFile = new URL('../../../openapi.yaml', import.meta.url)
export const generatedFolder = new URL('../generated/', import.meta.url)

/** Every generated file by its name, made from the root openapi.yaml. Writes nothing. */
export async function generate(): Promise<Record<string, string>> {
  const contract = await readFile(contractFile, 'utf8')
  return {
    'interface.json': `${JSON.stringify(buildInterface(parse(contract) as OpenApi), null, 2)}\n`,
    'openapi.yaml': contract,
    'types.ts': await buildTypes(contractFile),
  }
}

if (import.meta.main) await writeFiles(generatedFolder, await generate())
