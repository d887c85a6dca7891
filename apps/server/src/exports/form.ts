import type { SourceName } from '../ingest/sources/index.ts'
import type { Losses } from './report.ts'
import type { ExportResource } from './resource.ts'

/** What a form is written from. */
export interface FormInput {
  /** In the order of their ids. */
  resources: readonly ExportResource[]
  /** The file of the form's own source, parsed; null: it was not read. */
  upstream: unknown
  losses: Losses
}

export interface Written {
  content: string | Buffer
  /** Rows of the file. */
  rows: number
  /** Resources that have a row. */
  held: ReadonlySet<ExportResource>
  /** Of rows that upstream has: how many, and how many of them have our prices. Absent: the form has no upstream. */
  upstream?: { rows: number; ours: number }
}

/** A form that other programs load. */
export interface Form {
  /** Whose it is, in words. */
  title: string
  /** What it is, for those who choose one. */
  about: string
  /** The address below `/exports/`. */
  file: string
  /** The source whose rows the form keeps; null: it holds nothing but prices. */
  upstream: SourceName | null
  /** What is not known is not there, and nobody takes it for free. */
  tellsUnknown?: true
  write: (input: FormInput) => Written
}

/** A JSON document that people can read. */
export function jsonText(document: unknown): string {
  return `${JSON.stringify(document, null, 1)}\n`
}

/** A JSON object, a line for each key: a diff of two is readable. A key may be `__proto__`. */
export function jsonByKey(rows: ReadonlyMap<string, unknown>): string {
  const lines = [...rows].map(([key, row]) => `  ${JSON.stringify(key)}: ${JSON.stringify(row)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}
