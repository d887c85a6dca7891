import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { hashText } from '../../src/database/migrations.ts'
import { packageRoot, projectRoot } from '../../src/platform/paths.ts'

// The server of another commit, as a folder that runs with the packages that are installed here.

/** The last commit that operators have (docs/upgrading.md). */
interface Released {
  version: string
  commit: string
  /** The hash of each migration by its name: from now on it never changes. */
  migrations: Record<string, string>
}

export const released = JSON.parse(readFileSync(join(packageRoot, 'released.json'), 'utf8')) as Released

const migrations = 'apps/server/src/database/migrations'
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'ignore'] })
    .toString()
    .trim()

/** Why its server cannot be run from here, or null. */
export function whyNoReleased(): string | null {
  try {
    if (git('rev-parse', '--is-shallow-repository') === 'true')
      return 'this clone is shallow: its history has no older server'
    git('cat-file', '-e', `${released.commit}^{commit}`)
    return null
  } catch {
    return 'this is no clone of the repository: there is no older server'
  }
}

/** A commit's version of the server, and the SHA-256 of its migrations. */
export function describeCommit(name: string): {
  version: string
  commit: string
  migrations: Record<string, string>
} {
  const commit = git('rev-parse', `${name}^{commit}`)
  const files = git('ls-tree', '--name-only', commit, `${migrations}/`).split('\n')
  const hashes = files.map((file) => [basename(file, '.sql'), hashText(git('show', `${commit}:${file}`))])
  const { version } = JSON.parse(git('show', `${commit}:apps/server/package.json`)) as { version: string }
  return { version, commit, migrations: Object.fromEntries(hashes) as Record<string, string> }
}

const parts = ['apps/server', 'apps/dashboard', 'packages/contract', 'openapi.yaml']

/** Makes a folder of a commit's server, and returns its program. */
export function unpackCommit(commit: string, folder: string): string {
  mkdirSync(folder, { recursive: true })
  const archive = execFileSync('git', ['archive', commit, ...parts], { cwd: projectRoot, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  return link(folder)
}

/** Makes a folder of the server as it is here, with migrations added, and returns its program. */
export function copyTree(folder: string, added: Record<string, string>): string {
  mkdirSync(folder, { recursive: true })
  const isOurs = (path: string) => !/\/(?:node_modules|dist|test|proofs|e2e)$/.test(path)
  for (const part of parts)
    cpSync(join(projectRoot, part), join(folder, part), { recursive: true, filter: isOurs })
  const program = link(folder)
  for (const [file, text] of Object.entries(added))
    execFileSync('tee', [join(folder, migrations, file)], { input: text })
  return program
}

/** The packages that are installed here, with our own from the folder. */
function link(folder: string): string {
  const own: Record<string, string> = {
    '@ratecard/contract': join(folder, 'packages/contract'),
    '@ratecard/dashboard': join(folder, 'apps/dashboard'),
  }
  for (const part of ['apps/server', 'packages/contract', 'apps/dashboard']) {
    const installed = join(projectRoot, part, 'node_modules')
    if (!existsSync(installed)) continue
    for (const name of packagesIn(installed)) {
      const link = join(folder, part, 'node_modules', name)
      mkdirSync(join(link, '..'), { recursive: true })
      symlinkSync(own[name] ?? realpathSync(join(installed, name)), link)
    }
  }
  return join(folder, 'apps/server/bin/ratecard.js')
}

function packagesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.') && !lstatSync(join(folder, name)).isFile())
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(folder, name)).map((part) => `${name}/${part}`) : [name],
    )
}
