import { parseIndexName } from '../../src/database/build-index.ts'
import type { MigrationFile } from '../../src/database/migrations.ts'

// The rule of docs/upgrading.md, as far as a machine can hold it: what a migration must not do beside servers of the
// release before it. It reads statements, not their meaning; the upgrade proof runs them.

const forbidden: readonly (readonly [RegExp, string])[] = [
    [/\brename\b/, 'renames what the release before it knows by its name'],
  [/\balter (?:column )?\w+ (?:set data )?type\b/, 'changes a type, which rewrites the table under a lock'],
  [/\bset not null\b/, 'forbids null, which the release before it may still write'],
  [/\badd (?:column )?(?:if not exists )?(?!constraint\b)\w+ (?!.*\bdefault\b)[^,;]*\bnot null\b/, 'adds a column without a default, which the release before it does not write'],
  [/\badd (?:column )?[^,;]*\bgenerated always as\b.*\bstored\b/, 'adds a stored column, which rewrites the table under a lock'],
  [/\badd (?:column )?[^,;]*\bdefault \w*(?:random|clock_timestamp|ratecard_now|gen_)\w*\(/, 'has a default that differs by row, which rewrites the table under a lock'],
  [/\badd (?:constraint \w+ )?(?:check|foreign key)\b(?!.*\bnot valid\b)/, 'checks all rows under a lock: add it "not valid", and validate it in a migration of its own'],
  [/\badd (?:constraint \w+ )?(?:unique|primary key)\b(?!.*\busing index\b)/, 'builds an index under a lock: build it concurrently, then "add … using index"'],
  [/^(?:update|delete|insert)\b/, 'changes rows in one transaction: do it in batches'],
  [/^(?:truncate|vacuum|cluster|lock)\b/, 'holds a table for too long'],
] // prettier-ignore

/** What only contracts: a file whose first line says since which release nothing uses it. */
const contracting = [
  /\bdrop (?:table|view|function|type|column|schema)\b/,
  /\balter table\b.*\bdrop (?!constraint\b|default\b|not null\b)/,
]
const contractMark = /^-- contract: unused since \d+\.\d+\.\d+\n/

/** What a migration does that servers of the release before it would not survive, or that would stop them. */
export function offencesOf({ name, kind, text }: MigrationFile): string[] {
  const statements = statementsOf(text)
  if (kind === 'concurrently') {
    return statements.length === 1 && parseIndexName(text) !== null
      ? []
      : [`${name} is not one "create index concurrently if not exists … on …"`]
  }
  if (kind === 'batches') {
    const [only = ''] = statements
    const isBatch =
      statements.length === 1 && /^(?:update|delete)\b.*\blimit \d+\b.*\bfor update\b/.test(only)
    return isBatch
      ? []
      : [`${name} is not one update or delete of rows that it picks with "limit … for update"`]
  }
  const made = new Set(statements.flatMap((statement) => /^create table (\w+)/.exec(statement)?.[1] ?? []))
  return statements.flatMap((statement) => {
    const on = /^(?:alter table|create (?:unique )?index \w+ on|insert into) (?:only )?(\w+)/.exec(
      statement,
    )?.[1]
    // Nobody uses a table yet that the same migration makes.
    if (on !== undefined && made.has(on)) return []
    const offences = forbidden.flatMap(([pattern, why]) => (pattern.test(statement) ? why : []))
    if (!contractMark.test(text) && contracting.some((pattern) => pattern.test(statement)))
      offences.push(
        'drops what the release before it may still use: begin the file with "-- contract: unused since 1.2.0"',
      )
    if (/^create (?:unique )?index\b/.test(statement))
      offences.push(
        'builds an index under a lock: give it a migration of its own, NNNN_name.concurrently.sql',
      )
    return offences.map((why) => `${name} ${why}: ${statement.slice(0, 80)}`)
  })
}

/** Without comments, texts and bodies of functions, in small letters, on one line each. */
function statementsOf(text: string): string[] {
  return text
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/(\$\w*\$).*?\1/gs, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim().toLowerCase())
    .filter((statement) => statement !== '')
}
