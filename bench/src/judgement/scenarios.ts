import type { SourceName } from '../../../apps/server/src/ingest/sources/index.ts'
import { say } from '../frame/figures.ts'
import { seededRandom } from '../frame/random.ts'
import { editedSources } from './cells.ts'
import { newestFiles, oldFile, readContent, statementsOf, type Content, type Statements } from './evidence.ts'
import {
  chooseSpots,
  faultDays,
  plantedAt,
  plantedIn,
  spoilFile,
  spoilRows,
  type FileFault,
} from './faults.ts'
import { chooseMoves, moveFile } from './moves.ts'
import { instantOf, openFilled, play, type Played, type Step } from './timeline.ts'
import { scoreFaults, scoreMoves, type FaultScore, type MoveScore, type Witnessed } from './score.ts'

export interface FaultRow {
  fault: string
  stratum: string
  /** How long the fault was in the file. */
  days: number
  score: FaultScore
}

export interface MoveRow {
  kind: string
  score: MoveScore
}

export type World = Awaited<ReturnType<typeof openWorld>>

/** Loads all files once, each on its day and all again on day 0: the scenarios begin with a settled state. */
export async function openWorld(folder: string, seed: number) {
  // The newest file of each source, as it is, as JSON, and as it is read on day 0.
  const contents = new Map<SourceName, Content>()
  const files = new Map<SourceName, unknown>()
  const statements = new Map<SourceName, Statements>()
  for (const file of newestFiles) {
    const content = await readContent(folder, file)
    contents.set(file.source, content)
    if ('text' in content) files.set(file.source, JSON.parse(content.text))
    statements.set(file.source, await statementsOf(file.source, content, instantOf(0, 6)))
  }
  const filled = await openFilled(async (db) => {
    for (const { source, at } of newestFiles) await play(db, [{ at, source, content: contents.get(source)! }])
    await play(db, dayOfRuns(0, contents))
  })
  const close = () => filled[Symbol.asyncDispose]()
  return { filled, folder, seed, contents, files, statements, [Symbol.asyncDispose]: close }
}

/** Every source is read in the morning, one after the other. */
function dayOfRuns(day: number, contents: ReadonlyMap<SourceName, Content>): Step[] {
  return [...contents].map(([source, content], index) => ({
    at: instantOf(day, 6 + index / 10),
    source,
    content,
  }))
}

const evening = (day: number): Step => ({ at: instantOf(day, 23), snapshot: true })

function textOf(file: unknown): Content {
  return { text: JSON.stringify(file) }
}

/** Faults of rows are planted all at once, in rows that have nothing to do with each other. */
export async function runRowFaults(world: World): Promise<FaultRow[]> {
  const { statements, files } = world
  const spots = chooseSpots(statements, files, seededRandom(world.seed))
  const contentsOn = (day: number) =>
    new Map<SourceName, Content>(
      editedSources.map((source) => [source, textOf(spoilFile(source, files.get(source), spots, day))]),
    )
  const [first, last] = faultDays
  // The days on which a file changes, or on which a source has stood by its word for a day or a week.
  const readOn = new Set([1, 2, 3, 5, 8, 9, last + 1, last + 2])
  const steps: Step[] = []
  for (let day = 1; day <= last + 2; day += 1) {
    // Sources that never change are read on the first day. Every run decides about the claims of all.
    const unchanged = day === first ? [...world.contents] : []
    if (readOn.has(day)) steps.push(...dayOfRuns(day, new Map([...unchanged, ...contentsOn(day)])))
    // The faulty file is read again in the afternoon, and just before it is mended.
    if (day === first) {
      for (const [source, content] of contentsOn(day)) steps.push({ at: instantOf(day, 15), source, content })
    }
    steps.push(evening(day))
  }
  const played = await playFrom(world, steps)

  const readAs = new Map<SourceName, Statements>()
  for (const [source, content] of contentsOn(first))
    readAs.set(source, await statementsOf(source, content, instantOf(1, 6)))
  const planted = spots.flatMap((spot) => plantedAt(spot, readAs.get(spot.source)!, statements))
  return [...Map.groupBy(planted, (row) => `${row.fault}\n${row.stratum}\n${row.days}`).values()].map(
    (rows) => {
      const { fault, stratum, days } = rows[0]!
      return { fault, stratum, days, score: scoreFaults(rows, played) }
    },
  )
}

/** A faulty file is read twice on day 1, another file after it; it is mended on day 2, and read until day 9. */
export async function runFileFault(world: World, { name, spoilRow }: FileFault): Promise<FaultRow[]> {
  const source = 'litellm'
  const content = spoilRow
    ? textOf(spoilRows(world.files.get(source), spoilRow))
    : await readContent(world.folder, oldFile)
  const mended = world.contents.get(source)!
  const steps: Step[] = [
    { at: instantOf(1, 6), source, content },
    { at: instantOf(1, 9), source: 'portkey', content: world.contents.get('portkey')! },
    { at: instantOf(1, 15), source, content },
    evening(1),
    ...[2, 3, 9].flatMap((day): Step[] => [{ at: instantOf(day, 6), source, content: mended }, evening(day)]),
  ]
  const played = await playFrom(world, steps)
  const readAs = await statementsOf(source, content, instantOf(1, 6))
  const planted = plantedIn(source, readAs, world.statements)
  const byDeniers = Map.groupBy(planted, ({ amounts }) => {
    const most = Math.max(...amounts.map(({ deniers }) => deniers))
    return most > 1 ? '2 or more others deny' : most === 1 ? '1 other denies' : 'nobody else states it'
  })
  return [...byDeniers].map(([stratum, rows]) => ({
    fault: name,
    stratum,
    days: 1,
    score: scoreFaults(rows, played),
  }))
}

export async function runTrueMoves(world: World): Promise<MoveRow[]> {
  const moves = chooseMoves(world.statements, world.files, seededRandom(world.seed))
  const movingSources = [...editedSources, 'openrouter'] as const
  const steps: Step[] = []
  for (const day of [1, 2, 3, 4, 5, 8]) {
    const contents = movingSources.map((source) => {
      const file = moveFile(source, world.files.get(source), moves, day)
      return [source, textOf(file)] as const
    })
    steps.push(...dayOfRuns(day, new Map(contents)))
  }
  const played = await playFrom(world, steps)
  const runOf = (source: SourceName, day: number) =>
    played.runs.findIndex((run) => run.source === source && run.at.startsWith(instantOf(day, 0).slice(0, 10)))
  return [...Map.groupBy(moves, ({ kind }) => kind)].map(([kind, ofKind]) => {
    const witnessed = ofKind.map(({ key, factor, movers }): Witnessed => {
      const [one, other] = movers.map(({ source, day }) => runOf(source, day))
      const before = movers[0]!.record.input_per_mtok!
      const after = String(Number((Number(before) * factor).toPrecision(12)))
      // The platform's own list needs no second witness.
      const second = movers[0]!.source === 'openrouter' ? one! : (other ?? null)
      return { key, after, first: one!, second }
    })
    return { kind, score: scoreMoves(witnessed, played) }
  })
}

async function playFrom({ filled }: World, steps: readonly Step[]): Promise<Played> {
  const played = await filled.within((db) => play(db, steps))
  for (const { outcome, source, at, message } of played.runs)
    if (outcome !== 'applied') say(`  ${at.slice(0, 16)} ${source} ${outcome}: ${message}`)
  return played
}
