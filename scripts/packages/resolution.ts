import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { codeSubpaths } from './manifest.ts'
import { checked, type Finding } from './findings.ts'
import { run } from './programs.ts'
import { repository, type PublishedPackage } from './published.ts'

/** Whether every resolver finds code and types that fit together, for each subpath. */
export async function typesResolve({ tarball, manifest }: PublishedPackage): Promise<Finding> {
  const attw = join(repository, 'node_modules/@arethetypeswrong/cli/dist/index.js')
  // Of a program there is nothing to import.
  if (codeSubpaths(manifest).length === 0)
    return checked(`${manifest.name}: types resolve (attw, strict)`, 'a program', [])
  const words = ['--profile', 'strict', '--format', 'ascii', '--no-color']
  const problems = await run(process.execPath, [attw, tarball, ...words], { cwd: repository }).then(
    () => [],
    (error: Error) => [`Mend "exports" or the build.\n${error.message}`],
  )
  const figure = `${codeSubpaths(manifest).length} subpaths`
  return checked(`${manifest.name}: types resolve (attw, strict)`, figure, problems)
}

/** What publint has to say of package.json and the files it names. */
export async function manifestIsSound({ tarball, manifest }: PublishedPackage): Promise<Finding> {
  const bytes = await readFile(tarball)
  const { messages, pkg } = await publint({
    pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
    strict: true,
  })
  const lines = messages.map((message) => formatMessage(message, pkg) ?? message.code)
  const figure = `${messages.length} messages`
  return checked(`${manifest.name}: manifest is sound (publint, strict)`, figure, lines)
}
