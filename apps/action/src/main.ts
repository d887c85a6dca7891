import { createHash } from 'node:crypto'
import process from 'node:process'
import { CatalogError, type Catalog } from '../../../packages/cost/src/core.ts'
import { findDrift, rowsIn } from '../../../packages/cost/src/drift.ts'
import { catalogFromUrl } from '../../../packages/cost/src/live.ts'
import { comment } from './comment.ts'
import { readFiles, type SourceFile } from './files.ts'
import { findPins } from './pinned.ts'
import { writeReport, type Findings } from './report.ts'
import { annotate, putOutputs, putSummary, readInput, readLines, StepError } from './runner.ts'

/** All of it: files, prices, GitHub. */
const stepMs = 5 * 60_000
/** GitHub shows ten of a level. */
const annotationsMax = 50

const reasons = ['retired', 'mispriced', 'drift'] as const
type Reason = (typeof reasons)[number]

async function run(): Promise<boolean> {
  const [tables, paths, models] = [readLines('table'), readLines('paths'), readLines('models')]
  const failOn = readFailOn()
  if (tables.length + paths.length + models.length === 0)
    throw new StepError('Nothing is to be compared: name "table", "paths" or "models".')
  const root = process.env.GITHUB_WORKSPACE ?? process.cwd()
  const catalog = await openCatalog(readInput('server'))
  const findings = compareTables(tables.length > 0 ? await readFiles(root, tables, 'table') : [], catalog)
  const files = paths.length > 0 ? await readFiles(root, paths, 'paths') : []
  findings.pins = await findPins(
    // A table names all models: it pins none.
    files,
    models,
    new Set(findings.wrong.map(({ resource_id }) => resource_id)),
    catalog,
  )
  return tell(findings, failOn, [...tables, ...paths, ...models].join('\n'))
}

function readFailOn(): ReadonlySet<Reason> {
  const words = readInput('fail-on')
    .split(/[\s,]+/)
    .filter(Boolean)
  const odd = words.find((word) => !(reasons as readonly string[]).includes(word))
  if (odd !== undefined) throw new StepError(`"fail-on" is of ${reasons.join(', ')}, and "${odd}" is none.`)
  return new Set(words as Reason[])
}

async function openCatalog(server: string): Promise<Catalog> {
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol))
    throw new StepError('"server" is the address of a Ratecard: https://…')
  return catalogFromUrl(new URL('/snapshot.json', server), { refreshMs: 0 })
}

function compareTables(files: readonly SourceFile[], catalog: Catalog): Findings {
  const { version, generatedAt } = catalog.stamp()
  const all: Findings = { compared: 0, unknown: 0, wrong: [], pins: [], version, generatedAt }
  for (const { path, text } of files) {
    const rows = rowsIn(parseTable(text, path))
    if (rows.length === 0) throw new StepError(`${path} is neither LiteLLM's map nor a snapshot.`)
    const { compared, wrong, unknown } = findDrift(rows, catalog)
    if (compared === 0) throw new StepError(`${path} names nothing that is served: nothing was compared.`)
    all.compared += compared
    all.unknown += unknown.length
    const lines = new Map<string, number>()
    for (const one of wrong) {
      const line = lines.get(one.name) ?? findRow(text, one.name, lines.size)
      lines.set(one.name, line)
      all.wrong.push({ ...one, place: { file: path, line } })
    }
  }
  return all
}

function parseTable(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw new StepError(`${path} is no JSON.`)
  }
}

/** Looking for each of thousands of rows would take long: of those after the first hundreds the line is that of the file. */
function findRow(text: string, name: string, rowsFound: number): number {
  if (rowsFound >= 500) return 1
  const quoted = JSON.stringify(name)
  const found = [`${quoted}:`, `${quoted} :`, quoted].map((part) => text.indexOf(part)).find((at) => at >= 0)
  return text.slice(0, found ?? 0).split('\n').length
}

async function tell(findings: Findings, failOn: ReadonlySet<Reason>, about: string): Promise<boolean> {
  const { wrong, pins } = findings
  const count = (kind: string) => pins.filter((pin) => pin.kind === kind).length
  const pinned = { retired: count('retired'), mispriced: count('mispriced') }
  const counts = { ...pinned, drift: wrong.length }
  const isFailed = reasons.some((reason) => failOn.has(reason) && counts[reason] > 0)
  const fails = ({ kind }: { kind: string }) => failOn.has(kind as Reason)
  for (const pin of pins.toSorted((a, b) => Number(fails(b)) - Number(fails(a))).slice(0, annotationsMax))
    annotate(fails(pin) ? 'error' : 'warning', `${pin.name} (${pin.resourceId}) ${pin.says}.`, pin.place)
  for (const { name, field, yours, served, place } of wrong.slice(0, annotationsMax))
    annotate(
      failOn.has('drift') ? 'error' : 'warning',
      `${name}: ${field} is ${yours}, and ${served} is served.`,
      place,
    )
  const report = writeReport(findings)
  await putSummary(report)
  await putOutputs({ wrong: wrong.length, ...pinned, failed: isFailed })
  const marker = `<!-- ratecard-prices ${createHash('sha256').update(about).digest('hex').slice(0, 16)} -->`
  await comment(report, marker, wrong.length + pins.length > 0, readInput('token'))
  return isFailed
}

const late = setTimeout(() => {
  annotate('error', `The step was not done after ${stepMs / 60_000} minutes.`)
  process.exit(1)
}, stepMs)
try {
  process.exitCode = (await run()) ? 1 : 0
} catch (error) {
  if (!(error instanceof StepError || error instanceof CatalogError)) throw error
  annotate('error', `The prices were not compared: ${error.message}`)
  process.exitCode = 1
} finally {
  clearTimeout(late)
}
