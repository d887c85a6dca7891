import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { drawBars, type Chart } from './chart.ts'
import { formatMarkdown, formatText, isMissed, say, type Figure, type Table } from './figures.ts'
import { machineText, type Machine } from './machine.ts'

// Where the results of a run go: to the terminal, and, when they are to be published, to where they are kept for
// readers: as data, as a chart, and in the document between its two markers.

const results = new URL('../results/', import.meta.url)
const documents = new URL('../../docs/', import.meta.url)

export interface Publication {
  name: string
  /** The file in docs/ with its markers. */
  document?: string
  chart?: Chart | undefined
  /** Of more than this run. */
  data?: unknown
  machine?: string
  tables?: readonly Table[]
}

/**
 * Prints the results, publishes them where that is asked for, and fails the run when an aim is missed.
 * @param data all of them, as JSON
 */
export async function reportResults(
  { json, publish = false }: { json: boolean; publish?: boolean },
  data: { machine: Machine; figures: readonly Figure[]; [more: string]: unknown },
  tables: readonly Table[],
  publication?: Publication,
): Promise<void> {
  const machine = machineText(data.machine)
  if (json) console.log(JSON.stringify(data))
  else console.log(['', machine, ...tables.map(formatText)].join('\n\n'))
  if (publish && publication) {
    const files = await publishResults({ data, machine, tables, ...publication })
    say(`\nWritten: ${files.map((file) => fileURLToPath(file)).join(', ')}`)
  }
  if (data.figures.some(isMissed)) process.exitCode = 1
}

/** A run beside the published ones of other labels. */
export async function besideStored<Run extends { label: string }>(name: string, run: Run): Promise<Run[]> {
  const stored = await storedRuns<Run>(name)
  const isStored = stored.some(({ label }) => label === run.label)
  return isStored ? stored.map((one) => (one.label === run.label ? run : one)) : [...stored, run]
}

async function storedRuns<Run>(name: string): Promise<Run[]> {
  try {
    return (JSON.parse(await readFile(new URL(`${name}.json`, results), 'utf8')) as { runs: Run[] }).runs
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

async function publishResults({
  name,
  data,
  machine,
  tables,
  chart,
  document: documentName = 'performance.md',
}: Publication & Required<Omit<Publication, 'chart' | 'document'>>): Promise<URL[]> {
  const document = new URL(documentName, documents)
  const file = new URL(`${name}.json`, results)
  await writeFile(file, `${JSON.stringify(data, null, 2)}\n`)
  await replaceBetweenMarkers(document, name, [machine, ...tables.map(formatMarkdown)].join('\n\n'))
  if (!chart) return [file, document]
  const image = new URL(`${name}.svg`, results)
  await writeFile(image, drawBars(chart))
  return [file, image, document]
}

async function replaceBetweenMarkers(document: URL, name: string, text: string): Promise<void> {
  const [start, end] = [`<!-- ${name}: start -->`, `<!-- ${name}: end -->`]
  const old = await readFile(document, 'utf8')
  const from = old.indexOf(start)
  const to = old.indexOf(end)
  if (from === -1 || to < from) throw new Error(`${fileURLToPath(document)} lacks ${start} or ${end}.`)
  await writeFile(document, `${old.slice(0, from + start.length)}\n\n${text}\n\n${old.slice(to)}`)
}
