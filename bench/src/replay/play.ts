import type { Db } from '../../../apps/server/src/database/connect.ts'
import { amountColumns } from '../../../apps/server/src/features/prices/price-record.ts'
import { readSource } from '../../../apps/server/src/ingest/run/read-source.ts'
import type { SourceName } from '../../../apps/server/src/ingest/sources/index.ts'
import { say } from '../frame/figures.ts'
import { readContent, type Content, type PriceFile } from '../judgement/evidence.ts'
import { readFeed, type Subject } from '../judgement/rooms.ts'
import { addReading, type Lists, type Moved } from './lists.ts'
import { emptyServed, follow, isLastReturn, mixturesIn, type ServedHistory } from './served.ts'
import { addDays, type ToldChange, type ToldRow } from './truth.ts'

// The files as a worker meets them, on their days. Between them time passes, and nobody attends.

export interface Told extends ToldChange {
  title: string
}

/** How a source is doing: what was not applied is read again every day, as the worker does. */
interface SourceStanding {
  isLoaded: boolean
  pending: { content: Content; since: string; outcome: string } | null
  daysOut: number
  streak: number
  longest: number
}

export interface Replayed {
  /** The first day, and the last. */
  from: string
  until: string
  told: Told[]
  served: ServedHistory
  sources: Map<SourceName, SourceStanding>
  runs: number
  changes: number
  mixtures: string[]
  openHolds: number
}

export interface Play {
  folder: string
  files: readonly PriceFile[]
  /** The last day. */
  until: string
  isQuick: boolean
  /** What a person decides each day; null: nobody looks. */
  decideHolds: ((db: Db, at: string) => Promise<Reported[]>) | null
}

export interface Reported {
  changes: readonly { id: string | null }[]
}

/** At this hour of each day the worker reads again. */
const tickHour = 'T05:00:00Z'

export async function replay(db: Db, subject: Subject, play: Play): Promise<Replayed> {
  const served = emptyServed()
  const state: Replayed = {
    ...{ from: play.files[0]!.at.slice(0, 10), until: play.until },
    ...{ told: [], served, sources: new Map(), runs: 0, changes: 0, mixtures: [], openHolds: 0 },
  }
  // What the lists that were taken in stated: a file that was refused is no list's word here.
  const taken: Lists = new Map()

  const after = async (at: string, report: Reported) => {
    const ids = report.changes.flatMap(({ id }) => id ?? [])
    await follow(db, served, at)
    state.changes += ids.length
    if (ids.length > 0) state.told.push(...(await readTold(db, ids, at, served)))
  }
  const read = async (source: SourceName, content: Content, at: string, acceptAll = false) => {
    const known = state.sources.get(source)
    const standing = known ?? { isLoaded: false, pending: null, daysOut: 0, streak: 0, longest: 0 }
    state.sources.set(source, standing)
    state.runs += 1
    const run = { source, content, observedAt: at, origin: originOf(source), acceptAll }
    const { outcome, message, changes } = await readFeed(subject, db, run)
    if (outcome === 'applied') {
      Object.assign(standing, { isLoaded: true, pending: null })
      addReading(taken, source, at, (await readSource(source, { ...content, now: new Date(at) })).records)
    } else {
      if (standing.pending?.content !== content) say(`  ${at} ${source} ${outcome}: ${message}`)
      standing.pending = { since: at, ...standing.pending, content, outcome }
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
      if (pending) {
        const isLooked = play.decideHolds !== null && pending.outcome === 'refused'
        await read(source, pending.content, at, isLooked && addDays(pending.since, 1) <= at)
      } else if (!play.isQuick && standing.isLoaded) {
        state.runs += 1
        const options = { source, observedAt: at, alerts: null, origin: originOf(source) }
        await after(at, await subject.repeatRun(db, options))
      } else if (standing.isLoaded) {
        // As if it had been asked, and had nothing new: removals need the run itself.
        await db
          .updateTable('feed_sources')
          .set({ last_observed_at: at })
          .where('source', '=', source)
          .execute()
      }
    }
    await after(at, await subject.runDue(db, { observedAt: at, alerts: null }))
    for (const report of (await play.decideHolds?.(db, at)) ?? []) await after(at, report)
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
  const changes = await db
    .selectFrom('changes')
    .select(['category', 'severity', 'status', 'title', 'diff_before', 'diff_after'])
    .where('id', 'in', ids)
    .orderBy('updated_at')
    .execute()
  return changes.map(({ diff_before, diff_after, ...change }) => {
    const [was, is] = [sideOf(diff_before), sideOf(diff_after)]
    const rows = Object.keys(is).flatMap((id): ToldRow[] => {
      const [from, to] = [movedOf(was[id]), movedOf(is[id])]
      if (Object.keys(to).length === 0 || was[id] === undefined) return []
      const isBase = to.input_per_mtok !== undefined || to.output_per_mtok !== undefined
      const isReturn = isBase && isLastReturn(pairs.get(id) ?? [])
      const platform = now.get(id)?.platform ?? id.slice(0, id.indexOf(':'))
      return [{ resource_id: id, platform, before: from, after: to, isReturn }]
    })
    return { ...change, at, rows }
  })
}

type Side = Record<string, Record<string, string | number | null>>

function sideOf(text: string | null): Side {
  return JSON.parse(text ?? '{}') as Side
}

/** The amounts that a side of a diff shows. */
function movedOf(fields: Side[string] | undefined): Moved {
  return Object.fromEntries(
    amountColumns.flatMap((column) => {
      const amount = fields?.[column]
      return amount == null ? [] : [[column, String(amount)]]
    }),
  )
}
