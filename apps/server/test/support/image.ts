import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from '../../src/platform/paths.ts'

// The Dockerfile, read and built without Docker: its COPY takes what .dockerignore leaves of a fresh clone, its RUN lines
// run in that folder, on the pinned Node. What is in the base image beside Node is this machine's.

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8')

export const dockerfile = read('Dockerfile').replaceAll('\\\n', ' ')
export const ignoreLines = read('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

/** The last one of that name. */
export function instruction(name: string): string {
  const found = dockerfile.split('\n').findLast((line) => line.startsWith(`${name} `))
  if (found === undefined) throw new Error(`The Dockerfile has no ${name}.`)
  return found.slice(name.length + 1).trim()
}

export const wordsOf = (text: string) => JSON.parse(text) as string[]

/** The variables that the image sets. */
export const imageSettings = Object.fromEntries(
  instruction('ENV')
    .split(/\s+/)
    .map((pair) => pair.split('=') as [string, string]),
)

export interface Image {
  /** All of it; whoever built it deletes it. */
  folder: string
  /** What the image has in its WORKDIR. */
  program: string
  node: string
}

/** @throws Error with what a RUN line printed */
export async function buildImage(): Promise<Image> {
  const folder = mkdtempSync(join(tmpdir(), 'ratecard-image-'))
  // The image's user enters it.
  chmodSync(folder, 0o755)
  const [build = '', final = ''] = dockerfile.split(/^FROM .*$/m).slice(1)
  const [, workdir = ''] = /^WORKDIR (\S+)$/m.exec(build) ?? []
  const [, deployed = ''] = /^COPY --from=build (\S+) \.\/$/m.exec(final) ?? []
  copyClone(join(folder, workdir), (path) => !isIgnored(path))
  const node = join(folder, 'bin/node')
  mkdirSync(dirname(node))
  cpSync(process.execPath, node)
  const env = {
    ...ownVariables(),
    PATH: [join(folder, 'bin'), ...pathWithoutPackages()].join(':'),
    npm_config_prefix: folder,
  }
  for (const [, line = ''] of build.matchAll(/^RUN (.*)$/gm)) {
    const script = line.replaceAll(deployed, join(folder, deployed))
    await promisify(execFile)('sh', ['-ec', script], {
      cwd: join(folder, workdir),
      env,
      timeout: stepTimeoutMs,
    }).catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`RUN ${line}\n${stdout}${stderr}`)
    })
  }
  return { folder, program: join(folder, deployed), node }
}

const stepTimeoutMs = 200_000

/** Of whoever runs this (a registry, certificates), without what a test runner and a package manager add. */
export function ownVariables(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env)
  return Object.fromEntries(entries.filter(([name]) => !/^(NODE_ENV$|VITEST|p?npm_)/i.test(name)))
}

/** Without what package managers put before it. */
export function pathWithoutPackages(): string[] {
  return (process.env.PATH ?? '').split(':').filter((folder) => !folder.includes('node_modules'))
}

/** A fresh clone of the repository as it is here. */
export function copyClone(to: string, takes: (path: string) => boolean = () => true): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: projectRoot,
    maxBuffer: 2 ** 26,
  })
  for (const file of listed.toString().split('\0').filter(Boolean).filter(takes))
    cpSync(join(projectRoot, file), join(to, file))
}

const patterns = ignoreLines.map((line) => ({
  ignores: !line.startsWith('!'),
  path: new RegExp(
    `^${line.replace('!', '').replaceAll('.', '\\.').replaceAll('**/', '(.+/)?').replaceAll('*', '[^/]*')}(/|$)`,
  ),
}))

/** As Docker decides: by the last line that names the path, or a folder above it. */
function isIgnored(path: string): boolean {
  return patterns.findLast((pattern) => pattern.path.test(path))?.ignores ?? false
}
