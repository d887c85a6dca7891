import { sql } from 'kysely'
import type { Db } from '../../../apps/server/src/database/connect.ts'
import { resourceKey } from '../../../apps/server/src/ingest/match/names.ts'
import { amountColumns } from '../../../apps/server/src/catalog/price-record.ts'
import { readSource } from '../../../apps/server/src/ingest/run/read-source.ts'
import type { SourceName } from '../../../apps/server/src/ingest/sources/index.ts'
import { runDue } from '../../../apps/server/src/ingest/run/due.ts'
import { repeatRun } from '../../../apps/server/src/ingest/run/run-feed.ts'
import { addReading, agrees, lastRowsAt, type Lists, type Moved } from './lists.ts'
import { say } from '../frame/figures.ts'
import { readContent, type Content, type PriceFile } from '../judgement/evidence.ts'
import { readChanges, readFeed } from '../judgement/timeline.ts'
import { addDays, isLastReturn, type ServedPair, type ToldChange, type ToldRow } from './score.ts'

// What was served, from the first day to the last.

interface ServedRow {
  platform: string | null
  product_id: string | null
  input_per_mtok: string | null
  output_per_mtok: string | null
  cached_input_per_mtok: string | null
}

interface ServedHistory {
  /** What is served now, by `resource_id`. */
  now: Map<string, ServedRow>
  /** Input and output, wherever one of them moved; rows that lack one are left out. */
  pairs: Map<string, ServedPair[]>
  /** Of the list of prices: it moves with every write. */
  version: string
}

/** Writes down what a step has changed. */
async function follow(db: Db, served: ServedHistory, at: string): Promise<void> {
  const { rows: versions } = await sql<{ version: string }>`
    select version::text from list_versions where list = 'prices'`.execute(db)
  const version = versions[0]?.version ?? ''
  if (version === served.version) return
  served.version = version
  const rows = await db
    .selectFrom('prices')
    .select(['resource_id', 'platform', 'product_id'])
    .select(['input_per_mtok', 'output_per_mtok', 'cached_input_per_mtok'])
    .execute()
  served.now = new Map(rows.map(({ resource_id, ...row }) => [resource_id, row]))
  for (const { resource_id, input_per_mtok: input, output_per_mtok: output } of rows) {
    if (input === null || output === null) continue
    const pairs = served.pairs.get(resource_id) ?? []
    served.pairs.set(resource_id, pairs)
    const last = pairs.at(-1)
    if (last?.input !== input || last.output !== output) pairs.push({ at, input, output })
  }
}

/** Rows whose amounts no single list has stated together: a mixture of what several say, or of several times. */
function mixturesIn(served: ServedHistory, lists: Lists, at: string): string[] {
  return [...served.now].flatMap(([id, row]) => {
    const { input_per_mtok, output_per_mtok, cached_input_per_mtok } = row
    const columns = Object.entries({ input_per_mtok, output_per_mtok, cached_input_per_mtok })
    const amounts: Moved = Object.fromEntries(columns.filter(([, amount]) => amount !== null))
    const key = resourceKey(id)
    const said = [...lists.values()].flatMap((list) => lastRowsAt(list, key, at))
    // A list that leaves a column out has not stated the amounts together.
    const isStated = said.some((one) =>
      Object.keys(amounts).every(
        (column) => agrees([one], { [column]: amounts[column as keyof Moved]! }) === true,
      ),
    )
    return said.length === 0 || isStated
      ? []
      : [`${at.slice(0, 10)} ${id} ${Object.values(amounts).map(Number).join(' / ')}`]
  })
}

// The files as a worker meets them, on their days. Between them time passes, and nobody attends.

export interface Told extends ToldChange {
  title: string
}

/** How a source is doing: what was not applied is read again every day, as the worker does. */
interface SourceStanding {
  isLoaded: boolean
  pending: Content | null
  daysOut: number
  streak: number
  longest: number
}

export type Replayed = Awaited<ReturnType<typeof replay>>

interface Play {
  folder: string
  files: readonly PriceFile[]
  /** The last day. */
  until: string
  isQuick: boolean
}

interface Reported {
  changes: readonly { id: string | null }[]
}

/** At this hour of each day the worker reads again. */
const tickHour = 'T05:00:00Z'

export async function replay(db: Db, play: Play) {
  const served: ServedHistory = { now: new Map(), pairs: new Map(), version: '' }
  const told: Told[] = []
  const sources = new Map<SourceName, SourceStanding>()
  const mixtures: string[] = []
  /** The first day, and the last. */
  const [from, until] = [play.files[0]!.at.slice(0, 10), play.until]
  const state = { from, until, told, served, sources, mixtures, runs: 0, changes: 0 }
  // What the lists that were taken in stated: a file that was refused is no list's word here.
  const taken: Lists = new Map()

  const after = async (at: string, report: Reported) => {
    const ids = report.changes.flatMap(({ id }) => id ?? [])
    await follow(db, served, at)
    state.changes += ids.length
    if (ids.length > 0) state.told.push(...(await readTold(db, ids, at, served)))
  }
  const read = async (source: SourceName, content: Content, at: string) => {
    const known = state.sources.get(source)
    const standing = known ?? { isLoaded: false, pending: null, daysOut: 0, streak: 0, longest: 0 }
    state.sources.set(source, standing)
    state.runs += 1
    const run = { source, content, observedAt: at, origin: originOf(source) }
    const { outcome, message, changes } = await readFeed(db, run)
    if (outcome === 'applied') {
      Object.assign(standing, { isLoaded: true, pending: null })
      addReading(taken, source, at, (await readSource(source, { ...content, now: new Date(at) })).records)
    } else {
      if (standing.pending !== content) say(`  ${at} ${source} ${outcome}: ${message}`)
      standing.pending = content
    }
    if (outcome !== 'failed') await after(at, { changes })
  }
  const tick = async (at: string) => {
    for (const [source, standing] of state.sources) {
      const { pending } = standing
      // Nobody is shut out who was never in: LiteLLM's list of January 2024 does not name sellers yet.
      const isOut = pending !== null && standing.isLoaded
      standing.streak = isOut ? standing.streak + 1 : 0
      if (isOut) standing.daysOut += 1
      standing.longest = Math.max(standing.longest, standing.streak)
      if (pending) await read(source, pending, at)
      else if (!play.isQuick && standing.isLoaded) {
        state.runs += 1
        const options = { source, observedAt: at, alerts: null, origin: originOf(source) }
        await after(at, await repeatRun(db, options))
      } else if (standing.isLoaded) {
        // As if it had been asked, and had nothing new: removals need the run itself.
        await db
          .updateTable('feed_sources')
          .set({ last_observed_at: at })
          .where('source', '=', source)
          .execute()
      }
    }
    await after(at, await runDue(db, { observedAt: at, alerts: null }))
  }

  const waiting = [...play.files]
  const start = performance.now()
  for (let day = state.from; day <= play.until; day = addDays(day, 1).slice(0, 10)) {
    const isMonthEnd = addDays(day, 1).slice(8, 10) === '01'
    const readUntil = async (at: string) => {
      while (waiting.length > 0 && waiting[0]!.at < at) {
        const file = waiting.shift()!
        await read(file.source, await readContent(play.folder, file), file.at)
      }
    }
    await readUntil(`${day}${tickHour}`)
    await tick(`${day}${tickHour}`)
    await readUntil(`${day}T24`)
    if (!isMonthEnd && day !== play.until) continue
    state.mixtures.push(...mixturesIn(served, taken, `${day}T23:59:59Z`))
    const seconds = Math.round((performance.now() - start) / 1000)
    say(`${day}: ${state.runs} runs, ${state.changes} changes, ${served.now.size} rows, ${seconds} s`)
  }
  const { open } = await db
    .selectFrom('feed_holds')
    .select(({ fn }) => fn.countAll<string>().as('open'))
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow()
  return { ...state, openHolds: Number(open) }
}

/** The worker reads lists by their address, and asks whether there is anything new. */
function originOf(source: SourceName) {
  return { url: `https://lists.test/${source}`, etag: '"replay"', lastModified: null }
}

async function readTold(
  db: Db,
  ids: readonly string[],
  at: string,
  { now, pairs }: ServedHistory,
): Promise<Told[]> {
  return (await readChanges(db, ids)).map(({ category, severity, status, title, before, after }) => {
    const rows = Object.keys(after).flatMap((id): ToldRow[] => {
      const [from, to] = [movedOf(before[id]), movedOf(after[id])]
      if (Object.keys(to).length === 0 || before[id] === undefined) return []
      const isBase = to.input_per_mtok !== undefined || to.output_per_mtok !== undefined
      const isReturn = isBase && isLastReturn(pairs.get(id) ?? [])
      const platform = now.get(id)?.platform ?? id.slice(0, id.indexOf(':'))
      return [{ resource_id: id, platform, before: from, after: to, isReturn }]
    })
    return { category, severity, status, title, at, rows }
  })
}

/** The amounts that a side of a diff shows. */
function movedOf(fields: Record<string, string | number | null> = {}): Moved {
  const shown = amountColumns.filter((column) => fields[column] != null)
  return Object.fromEntries(shown.map((column) => [column, String(fields[column])]))
}
