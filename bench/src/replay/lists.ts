import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { amountColumns, type AmountColumn } from '../../../apps/server/src/catalog/price-record.ts'
import { resourceKey } from '../../../apps/server/src/ingest/match/names.ts'
import type { Amounts, SourceRecord } from '../../../apps/server/src/ingest/source-record.ts'
import { isSameAmount, newestFiles, type PriceFile } from '../judgement/evidence.ts'

// Every state of every list that there is, what each stated when, and what the vendors announced in that time: the
// evidence, independent of any judgement.

/** States that are files of their own: of each source, and of LiteLLM for each day of July 2026 on which it moved. */
const folders = [
  { source: 'litellm', folder: 'history/litellm' },
  { source: 'models.dev', folder: 'history/models.dev' },
  { source: 'genai-prices', folder: 'history/genai-prices' },
  { source: 'litellm', folder: 'litellm/daily' },
] as const
const dated = /(\d{4}-\d\d-\d\d)T(\d\d)(?:-(\d\d)-(\d\d))?\.json\.gz$/

const firstStates: readonly PriceFile[] = [
  { source: 'genai-prices', path: 'genai-prices/data_v1_2026-05-28.json.gz', at: '2026-05-28T12:00:00Z' },
  { source: 'models.dev', path: 'models.dev/api_equivalent_2026-06-15.json.gz', at: '2026-06-15T12:00:00Z' },
]

/** The oldest first. */
export async function historyOf(root: string): Promise<PriceFile[]> {
  const files = await Promise.all(
    folders.map(async ({ source, folder }) => {
      const names = await readdir(join(root, folder))
      return names.flatMap((name): PriceFile[] => {
        const [, day, hour, minute = '00', second = '00'] = dated.exec(name) ?? []
        if (!day) return []
        return [{ source, path: join(folder, name), at: `${day}T${hour}:${minute}:${second}Z` }]
      })
    }),
  )
  return [...files.flat(), ...firstStates, ...newestFiles].sort((a, b) => (a.at < b.at ? -1 : 1))
}

/** A move of a vendor's list price; where both sides are equal, that there was none. */
export interface VendorMove {
  resource_id: string
  /** The day, UTC. */
  on: string
  /** Input and output in USD per million tokens. */
  before: readonly [number, number]
  after: readonly [number, number]
  why: string
}

export async function readVendorMoves(folder: string): Promise<VendorMove[]> {
  const text = await readFile(join(folder, 'history', 'vendor-moves.json'), 'utf8')
  return (JSON.parse(text) as { moves: VendorMove[] }).moves
}

export type Moved = Partial<Amounts>

/** A list has a key once, as a rule; where it has it more often, any of the rows is what it says. */
interface State {
  at: string
  rows: readonly Amounts[]
}

export interface ListHistory {
  /** When it was read. */
  readings: string[]
  /** By `resourceKey`, the oldest first; a state without rows: the list has it no more. */
  states: Map<string, State[]>
}

export type Lists = Map<string, ListHistory>

export function addReading(lists: Lists, source: string, at: string, records: readonly SourceRecord[]): void {
  const list: ListHistory = lists.get(source) ?? { readings: [], states: new Map() }
  lists.set(source, list)
  list.readings.push(at)
  const byKey = Map.groupBy(records, ({ resource_id }) => resourceKey(resource_id))
  for (const key of new Set([...list.states.keys(), ...byKey.keys()])) {
    const states = list.states.get(key) ?? []
    list.states.set(key, states)
    // What was announced for a later day counts as long as the list is not read again.
    while (states.length > 0 && states.at(-1)!.at >= at) states.pop()
    const all = byKey.get(key) ?? []
    const rows = all.map(amountsOf)
    if (JSON.stringify(states.at(-1)?.rows ?? []) !== JSON.stringify(rows)) states.push({ at, rows })
    for (const { starts_on, amounts } of all.flatMap(({ scheduled }) => scheduled))
      states.push({ at: `${starts_on}T00:00:00Z`, rows: [amounts] })
  }
}

function amountsOf(record: Amounts): Amounts {
  return Object.fromEntries(amountColumns.map((column) => [column, record[column]])) as Amounts
}

export function rowsAt(list: ListHistory, key: string, at: string): readonly Amounts[] {
  return list.states.get(key)?.findLast((state) => state.at <= at)?.rows ?? []
}

/** What it stated last, be it that it has dropped the row since. */
export function lastRowsAt(list: ListHistory, key: string, at: string): readonly Amounts[] {
  return list.states.get(key)?.findLast((state) => state.at <= at && state.rows.length > 0)?.rows ?? []
}

/** Whether rows of one key state the amounts; null: they state none of them. */
export function agrees(rows: readonly Amounts[], amounts: Moved): boolean | null {
  const columns = Object.keys(amounts) as AmountColumn[]
  const answers = rows.flatMap((row) => {
    const stated = columns.filter((column) => row[column] !== null)
    return stated.length === 0 ? [] : [stated.every((column) => isSameAmount(row[column], amounts[column]))]
  })
  return answers.length === 0 ? null : answers.includes(true)
}

/** Since when a list has said so without a break, as of a moment; null: it does not say so. */
export function saidSince(
  list: ListHistory,
  key: string,
  at: string,
  isSo: (rows: readonly Amounts[]) => boolean,
): string | null {
  let since: string | null = null
  for (const state of (list.states.get(key) ?? []).filter((one) => one.at <= at)) {
    if (isSo(state.rows)) since ??= state.at
    else since = null
  }
  return since
}
