import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { codeSubpaths } from './manifest.ts'
import type { Finding } from './findings.ts'
import { repository, type PublishedPackage } from './published.ts'

/** Whether every resolver finds code and types that fit together, for each subpath. */
export async function typesResolve({ tarball, manifest }: PublishedPackage): Promise<Finding> {
  const attw = join(repository, 'node_modules/@arethetypeswrong/cli/dist/index.js')
  const failure = await promisify(execFile)(process.execPath, [
    attw,
    tarball,
    '--profile',
    'strict',
    '--format',
    'ascii',
    '--no-color',
  ]).then(
    () => null,
    (error: { stdout?: string; stderr?: string }) => `${error.stdout ?? ''}${error.stderr ?? ''}`,
  )
  return {
    subject: `${manifest.name}: types resolve (attw, strict)`,
    figure: `${codeSubpaths(manifest).length} subpaths`,
    ...(failure !== null && { problem: `Mend "exports" or the build.\n${failure}` }),
  }
}

/** What publint has to say of package.json and the files it names. */
export async function manifestIsSound({ tarball, manifest }: PublishedPackage): Promise<Finding> {
  const bytes = await readFile(tarball)
  const { messages, pkg } = await publint({
    pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
    strict: true,
  })
  const lines = messages.map((message) => formatMessage(message, pkg) ?? message.code)
  return {
    subject: `${manifest.name}: manifest is sound (publint, strict)`,
    figure: `${messages.length} messages`,
    ...(lines.length > 0 && { problem: lines.join('\n') }),
  }
}
