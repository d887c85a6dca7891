import { z } from 'zod'

// A backup is text under gzip. The first line is a header in JSON. Then each table: a line {"table": name}, its rows as
// PostgreSQL's COPY writes them (a line each: what is no plain text is escaped), and a line `\.`, which no row can be.
// The last line counts the rows, and has the SHA-256 of all lines before it.

export const formatName = 'ratecard-backup'
/** A reader refuses every other one. */
export const formatVersion = 1

const names = z.array(z.string())

export const headerSchema = z.object({
  format: z.literal(formatName),
  version: z.number(),
  /** The moment of its snapshot, by the database's clock. */
  made_at: z.string(),
  /** The release that made it, and the PostgreSQL it was made from. */
  ratecard: z.string(),
  /** Missing in older backups, as `hashes` is. */
  commit: z.string().optional(),
  postgres: z.string(),
  /** The schema that its rows are of: migrations by their names, and what they say by its SHA-256. */
  migrations: names.min(1),
  hashes: z.record(z.string(), z.string()).optional(),
  tables: z.array(z.object({ name: z.string(), columns: names.min(1) })),
  /** Keys of SECRETS_KEY by which its secrets can be read. They are no secrets themselves. */
  secrets_keys: names,
  /** Deliveries and notices that waited to be sent. */
  pending: z.object({ deliveries: z.number(), notices: z.number() }),
})

export type BackupHeader = z.infer<typeof headerSchema>

/** Names the program that made the backup. */
export function nameRelease({ ratecard, commit, made_at }: BackupHeader): string {
  return `${ratecard}, ${commit === undefined ? `of a commit that it does not name, ${made_at}` : `commit ${commit.slice(0, 8)}`}`
}

export const endSchema = z.object({
  /** Rows by table. */
  rows: z.record(z.string(), z.number()),
  sha256: z.string(),
})

export type BackupEnd = z.infer<typeof endSchema>

export const tableSchema = z.object({ table: z.string() })

/** Ends the rows of a table. */
export const endOfRows = '\\.'

/** The longest line that is read: no row of ours comes near it, and what is no backup must not fill the memory. */
export const lineBytesMax = 16 * 1024 * 1024

const newline = 10

/** Each row is a line: what of it is a line break is written as two letters. */
export function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count += 1
  return count
}
