import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Snapshot } from './read-snapshot.ts'
import { writeSqlite } from './write-sqlite.ts'
import { snapshotCsv, snapshotJson, snapshotJsonLines } from './write-text.ts'

type TextForm = 'json' | 'jsonl' | 'csv'
/** How a snapshot is written. */
export type SnapshotForm = TextForm | 'sqlite'

/** The snapshot as text, in pieces. */
export const snapshotTexts: Record<TextForm, (snapshot: Snapshot) => AsyncIterable<string>> = {
  json: snapshotJson,
  jsonl: snapshotJsonLines,
  csv: snapshotCsv,
}

export const snapshotForms = [...Object.keys(snapshotTexts), 'sqlite'] as SnapshotForm[]

/** Writes the snapshot into an empty file. */
export async function writeSnapshot(snapshot: Snapshot, form: SnapshotForm, path: string): Promise<void> {
  if (form === 'sqlite') return writeSqlite(snapshot, path)
  await pipeline(snapshotTexts[form](snapshot), createWriteStream(path))
}
