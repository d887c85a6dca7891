import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { amountColumns } from '../catalog/price-record.ts'
import type { Snapshot } from './read-snapshot.ts'
import type { SnapshotHeader, SnapshotResource } from './record.ts'

// Amounts are text, as they are exact: `cast(input_per_mtok as real)` makes a number of one.

const amounts = amountColumns.map((column) => `${column} text`).join(', ')

/** The tables, and the columns of each in their order. */
const schema = `
  create table meta (key text primary key, value text) strict;
  create table sources (source text primary key, url text, licence text, run_id text not null, version text not null,
    observed_at text not null, data_at text) strict;
  create table resources (resource_id text primary key, product_id text, vendor text not null, platform text,
    modality text, region text, unit text, ${amounts}, currency text, source_url text, effective_at text,
    updated_at text not null, source text not null, is_confirmed integer, rule text, gone_since text, retires_on text,
    checked_on text, evidence text) strict;
  create table rates (resource_id text not null, meter text not null, unit text not null, amount text not null,
    service_tier text, variant text, threshold integer, hours text, said_by text, denied_by text) strict;
  create table announced (resource_id text not null, source text not null, starts_on text not null, ${amounts},
    learned_at text not null, primary key (resource_id, source, starts_on)) strict;
  create table past (resource_id text not null, ended_on text not null, ${amounts}, rates text not null,
    primary key (resource_id, ended_on)) strict;
  create table aliases (resource_id text not null, source text not null, key text not null,
    source_resource_id text not null, model_name text not null, primary key (resource_id, source, key)) strict;
  create table claims (resource_id text not null, source text not null, source_key text not null,
    first_seen text not null, gone_since text, since text, unit text, ${amounts}, currency text, source_url text,
    effective_at text, retires_on text, checked_on text, rates text not null,
    primary key (resource_id, source)) strict;
  create table documents (resource_id text not null, source text not null, url text, sha256 text not null,
    read_at text not null, quotes text not null, primary key (resource_id, source)) strict;`

const indexes = `
  create index resources_product on resources (product_id);
  create index rates_resource on rates (resource_id);
  create index aliases_key on aliases (key);`

/** Writes the snapshot into an empty file, as an SQLite database. */
export async function writeSqlite({ header, batches }: Snapshot, path: string): Promise<void> {
  // Loaded on demand, as one format alone needs it.
  const { DatabaseSync } = await import('node:sqlite')
  const file = new DatabaseSync(path)
  try {
    // Whoever is interrupted has no file: it gets its name when it is complete.
    file.exec('pragma journal_mode = off; pragma synchronous = off; begin')
    file.exec(schema)
    const insert = createInsert(file)
    writeHeader(insert, header)
    for await (const resources of batches) for (const resource of resources) writeResource(insert, resource)
    file.exec(indexes)
    file.exec('commit')
  } finally {
    file.close()
  }
}

type Insert = (table: string, row: Readonly<Record<string, unknown>>) => void

/** Inserts rows by their fields' names. A statement for each table; lists and objects are JSON. */
function createInsert(file: DatabaseSync): Insert {
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  return (table, row) => {
    const known = statements.get(table)
    const statement = known ?? file.prepare(insertText(table, Object.keys(row)))
    if (!known) statements.set(table, statement)
    statement.run(
      Object.fromEntries(Object.entries(row).map(([column, value]) => [column, storedValue(value)])),
    )
  }
}

function insertText(table: string, columns: readonly string[]): string {
  return `insert into ${table} (${columns.join(', ')}) values (${columns.map((column) => `:${column}`).join(', ')})`
}

function storedValue(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  return typeof value === 'boolean' ? Number(value) : JSON.stringify(value)
}

function writeHeader(insert: Insert, { sources, ...meta }: SnapshotHeader): void {
  for (const [key, value] of Object.entries(meta)) {
    insert('meta', { key, value: typeof value === 'number' ? String(value) : value })
  }
  for (const source of sources) insert('sources', { ...source })
}

function writeResource(insert: Insert, resource: SnapshotResource): void {
  const { rates, announced, past = [], aliases, claims, documents = [], ...price } = resource
  const { resource_id } = price
  insert('resources', price)
  for (const rate of rates ?? []) insert('rates', { resource_id, ...rate })
  for (const one of announced ?? []) insert('announced', { resource_id, ...one })
  for (const one of past) insert('past', { resource_id, ...one })
  for (const { resource_id: source_resource_id, ...alias } of aliases)
    insert('aliases', { resource_id, source_resource_id, ...alias })
  for (const claim of claims) insert('claims', { resource_id, ...claim })
  for (const document of documents) insert('documents', { resource_id, ...document })
}
