import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { format, resolveConfig } from 'prettier'
import { connect } from '../src/database/connect.ts'
import { openEmbedded } from '../src/database/embedded.ts'
import { migrate } from '../src/database/migrate.ts'
import { readStatements } from '../src/database/schema-text.ts'

// Migrates an empty database, and writes the types of its tables and its schema of today. Both are committed; CI makes
// them again and compares.

const generated = new URL('../src/database/generated/', import.meta.url)
const outFile = fileURLToPath(new URL('tables.ts', generated))
const header = 'Made from src/database/migrations by `pnpm generate`. Do not edit.\n'
const codegen = createRequire(import.meta.url).resolve('kysely-codegen/dist/cli/bin.js')

const folder = await mkdtemp(join(tmpdir(), 'ratecard-tables-'))
const database = await openEmbedded(folder, { settings: ['fsync=off'] })
try {
  const db = connect({ connectionString: database.connectionString })
  await migrate(db)
  const statements = (await readStatements(db)).map((statement) => `\n${statement}\n`)
  await writeFile(new URL('schema.sql', generated), `-- ${header}${statements.join('')}`)
  await db.destroy()
  await promisify(execFile)(process.execPath, [
    codegen,
    `--url=${database.connectionString}`,
    `--out-file=${outFile}`,
    '--dialect=postgres',
    '--date-parser=string',
    '--numeric-parser=string',
    '--exclude-pattern=kysely_*',
    `--type-mapping=${JSON.stringify({ timestamptz: 'string', timestamp: 'string', date: 'string', int8: 'number' })}`,
  ])
  const text = await readFile(outFile, 'utf8')
  // In the house's format, so that formatting the folder does not look like drift.
  const options = { ...(await resolveConfig(outFile)), parser: 'typescript' }
  await writeFile(outFile, await format(text.replace(/^\/\*\*[\s\S]*?\*\/\n/, `// ${header}`), options))
} finally {
  await database.release()
  await rm(folder, { recursive: true, force: true })
}
