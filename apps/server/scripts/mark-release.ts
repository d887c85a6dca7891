import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { readMigrations } from '../src/database/migrations.ts'
import { readVersion } from '../src/platform/version.ts'

// Writes down the present commit as the last release of the server: from then on its migrations never change, and the
// next release is proved to run beside it (docs/upgrading.md).

const git = (...args: string[]) => execFileSync('git', args).toString().trim()
if (git('status', '--porcelain') !== '') throw new Error('Commit first: the release is what the commit says.')
const migrations = (await readMigrations()).map(({ name, text }) => [
  name,
  createHash('sha256').update(text).digest('hex'),
])
const released = {
  version: readVersion(),
  commit: git('rev-parse', 'HEAD'),
  migrations: Object.fromEntries(migrations) as Record<string, string>,
}
await writeFile(new URL('../released.json', import.meta.url), `${JSON.stringify(released, null, 2)}\n`)
