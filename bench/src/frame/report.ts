import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { formatTable, isMissed, say, type Figure, type Table } from './figures.ts'
import { machineText, type Machine } from './machine.ts'
import type { Output } from './options.ts'

// Where the results of a run go: to the terminal, and, when they are to be published, to where they are kept for
// readers: as data, and in the document between its two markers.

const results = new URL('../../results/', import.meta.url)
const documents = new URL('../../../docs/', import.meta.url)

export interface Report {
  name: string
  /** The file in docs/ with its markers. */
  document?: string
  figures: readonly Figure[]
  tables: readonly Table[]
  /** Stands beside the machine. */
  note?: string
  /** Of this run, or of this one and those that are published beside it. */
  data: { machine: Machine; [more: string]: unknown } | { runs: readonly LabelledRun[] }
}

export interface LabelledRun {
  /** The version's name in the tables. */
  label: string
  machine: Machine
  /** How it was run. */
  way?: string
}

/** Prints the results, publishes them where that is asked for, and fails the run when an aim is missed. */
export async function report(
  { json, publish }: Pick<Output, 'json' | 'publish'>,
  run: Report,
): Promise<void> {
  const { name, document = 'performance.md', data, figures, tables, note } = run
  const machines = isOfSeveral(data)
    ? data.runs.map(({ label, way, machine }) => `${label}: ${way ? `${way}; ` : ''}${machineText(machine)}`)
    : [[machineText(data.machine), note ?? ''].join(' ').trim()]
  const text = [...machines, ...tables.map(formatTable)].join('\n\n')
  const stored = isOfSeveral(data) ? data : { ...data, figures }
  console.log(json ? JSON.stringify({ ...stored, figures }) : `\n${text}`)
  if (publish) {
    const file = new URL(`${name}.json`, results)
    await writeFile(file, `${JSON.stringify(stored, null, 2)}\n`)
    await replaceBetweenMarkers(new URL(document, documents), name, text)
    say(`\nWritten: ${fileURLToPath(file)}, docs/${document}`)
  }
  if (figures.some(isMissed)) process.exitCode = 1
}

function isOfSeveral(data: Report['data']): data is { runs: readonly LabelledRun[] } {
  return 'runs' in data
}

/** A run beside the published ones of other labels; `merge` takes over what the old one of its label has. */
export async function besideStored<Run extends LabelledRun>(
  name: string,
  run: Run,
  merge: (old: Run) => Run = () => run,
): Promise<Run[]> {
  const text = await readFile(new URL(`${name}.json`, results), 'utf8')
  const { runs } = JSON.parse(text) as { runs: Run[] }
  const isStored = runs.some(({ label }) => label === run.label)
  return isStored ? runs.map((one) => (one.label === run.label ? merge(one) : one)) : [...runs, run]
}

async function replaceBetweenMarkers(document: URL, name: string, text: string): Promise<void> {
  const [start, end] = [`<!-- ${name}: start -->`, `<!-- ${name}: end -->`]
  const old = await readFile(document, 'utf8')
  const from = old.indexOf(start)
  const to = old.indexOf(end)
  if (from === -1 || to < from) throw new Error(`${fileURLToPath(document)} lacks ${start} or ${end}.`)
  await writeFile(document, `${old.slice(0, from + start.length)}\n\n${text}\n\n${old.slice(to)}`)
}
