import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { formatTable, isMissed, say, type Figure, type Table } from './figures.ts'
import { machineText, type Machine } from './machine.ts'

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
  data: { machine: Machine; [more: string]: unknown }
}

/** Prints the results, publishes them where that is asked for, and fails the run when an aim is missed. */
export async function report(
  { publish }: { publish: boolean },
  { name, document = 'performance.md', data, figures, tables, note = '' }: Report,
): Promise<void> {
  const machine = `${machineText(data.machine)} ${note}`.trim()
  const text = [machine, ...tables.map(formatTable)].join('\n\n')
  const stored = { ...data, figures }
  console.log(`\n${text}`)
  if (publish) {
    const file = new URL(`${name}.json`, results)
    await writeFile(file, `${JSON.stringify(stored, null, 2)}\n`)
    await replaceBetweenMarkers(new URL(document, documents), name, text)
    say(`\nWritten: ${fileURLToPath(file)}, docs/${document}`)
  }
  if (figures.some(isMissed)) process.exitCode = 1
}

async function replaceBetweenMarkers(document: URL, name: string, text: string): Promise<void> {
  const [start, end] = [`<!-- ${name}: start -->`, `<!-- ${name}: end -->`]
  const old = await readFile(document, 'utf8')
  const from = old.indexOf(start)
  const to = old.indexOf(end)
  if (from === -1 || to < from) throw new Error(`${fileURLToPath(document)} lacks ${start} or ${end}.`)
  await writeFile(document, `${old.slice(0, from + start.length)}\n\n${text}\n\n${old.slice(to)}`)
}
