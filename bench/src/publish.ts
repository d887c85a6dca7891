import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { drawBars, type Chart } from './chart.ts'
import { formatMarkdown, type Table } from './figures.ts'

// Where the results of a run are kept for readers: as data, as a chart, and in the document between its two markers.

const results = new URL('../results/', import.meta.url)
const documents = new URL('../../docs/', import.meta.url)

export async function publish(
  name: string,
  {
    data,
    machine,
    tables,
    chart,
    document = 'performance.md',
  }: { data: unknown; machine: string; tables: readonly Table[]; chart?: Chart; document?: string },
): Promise<string[]> {
  await mkdir(results, { recursive: true })
  const files = [new URL(`${name}.json`, results)]
  await writeFile(new URL(`${name}.json`, results), `${JSON.stringify(data, null, 2)}\n`)
  if (chart) {
    files.push(new URL(`${name}.svg`, results))
    await writeFile(new URL(`${name}.svg`, results), drawBars(chart))
  }
  const text = [machine, ...tables.map(formatMarkdown)].join('\n\n')
  await replaceBetweenMarkers(document, name, text)
  files.push(new URL(document, documents))
  return files.map((file) => fileURLToPath(file))
}

async function replaceBetweenMarkers(file: string, name: string, text: string): Promise<void> {
  const document = new URL(file, documents)
  const [start, end] = [`<!-- ${name}: start -->`, `<!-- ${name}: end -->`]
  const old = await readFile(document, 'utf8')
  const from = old.indexOf(start)
  const to = old.indexOf(end)
  if (from === -1 || to < from) throw new Error(`docs/${file} lacks ${start} or ${end}.`)
  await writeFile(document, `${old.slice(0, from + start.length)}\n\n${text}\n\n${old.slice(to)}`)
}
