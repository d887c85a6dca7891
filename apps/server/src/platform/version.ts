import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { packageRoot, projectRoot } from './paths.ts'

let version: string | undefined
let commit: string | undefined

/** The version of the server package. */
export function readVersion(): string {
  version ??= (JSON.parse(readFileSync(`${packageRoot}package.json`, 'utf8')) as { version: string }).version
  return version
}

/**
 * The commit that the program is of: what the build wrote into the file `commit` of the package, else what git says of the
 * checkout it runs in; "unknown" where neither is there.
 */
export function readCommit(): string {
  commit ??= readWrittenCommit() ?? readGitCommit() ?? 'unknown'
  return commit
}

/** Names the program for an operator: several commits have one version. */
export function readRelease(): string {
  return `${readVersion()}, commit ${readCommit().slice(0, 8)}`
}

function readWrittenCommit(): string | null {
  const file = `${packageRoot}commit`
  return existsSync(file) ? readFileSync(file, 'utf8').trim() || null : null
}

function readGitCommit(): string | null {
  // Not those of a repository that the program was put into.
  if (!existsSync(`${projectRoot}.git`)) return null
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const
    return execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: projectRoot,
      stdio: [...stdio],
      encoding: 'utf8',
    }).trim()
  } catch {
    return null
  }
}
