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
import { hashOf } from '../../src/database/migrations.ts'
import { packageRoot, projectRoot } from '../../src/platform/paths.ts'

// The server of another commit, as a folder that runs with the packages that are installed here.

/** The last release of the server (docs/upgrading.md). */
export interface Released {
  version: string | null
  commit: string | null
  /** SHA-256 of each migration by its name: from now on it never changes. */
  migrations: Record<string, string>
}

export const released = JSON.parse(readFileSync(join(packageRoot, 'released.json'), 'utf8')) as Released

const migrations = 'apps/server/src/database/migrations'
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'ignore'] })
    .toString()
    .trim()

/**
 * The commit whose server is upgraded: the last release. As long as nothing is released, the oldest one that has the
 * migrations of this tree: until then they are folded, and there is no way between two states of them.
 */
export function findOldCommit(): { commit: string; what: string } | { missing: string } {
  try {
    if (git('rev-parse', '--is-shallow-repository') === 'true')
      return { missing: 'this clone is shallow: its history has no older server' }
    const commit = released.commit ?? git('log', '-1', '--format=%H', '--', migrations)
    const changed = git('diff', '--name-only', '--diff-filter=MDR', commit, '--', migrations)
    if (changed !== '') return { missing: `migrations were changed since ${commit.slice(0, 8)}: ${changed}` }
    const name = released.version ?? 'not released; the oldest with these migrations'
    return { commit, what: `${commit.slice(0, 8)} (${name})` }
  } catch {
    return { missing: 'this is no clone of the repository: there is no older server' }
  }
}

/** A commit's version of the server, and the SHA-256 of its migrations. */
export function describeCommit(name: string): { version: string; commit: string; migrations: Record<string, string> } {
  const commit = git('rev-parse', `${name}^{commit}`)
  const files = git('ls-tree', '--name-only', commit, `${migrations}/`).split('\n')
  const hashes = files.map((file) => [
    basename(file, '.sql'),
    hashOf(git('show', `${commit}:${file}`)),
  ])
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
