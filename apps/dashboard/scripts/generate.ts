import { typesOf, writeFiles } from '../../../packages/contract/scripts/write-types.ts'

const contractFile = new URL('../openapi.yaml', import.meta.url)
export const generatedFolder = new URL('../contract/generated/', import.meta.url)

/** Every generated file by its name, made from openapi.yaml. Writes nothing. */
export async function generate(): Promise<Record<string, string>> {
  // Fields with a default may be left out, by the pages too.
  return { 'types.ts': await typesOf(contractFile, { defaultNonNullable: false }) }
}

if (import.meta.main) await writeFiles(generatedFolder, await generate())
