import { sql } from 'kysely'
import type { Db } from '../../../apps/server/src/database/connect.ts'
import { resourceKey } from '../../../apps/server/src/ingest/match/names.ts'
import { agrees, lastRowsAt, type Lists, type Moved } from './lists.ts'

// What was served, from the first day to the last.

interface ServedRow {
  platform: string | null
  product_id: string | null
  input_per_mtok: string | null
  output_per_mtok: string | null
  cached_input_per_mtok: string | null
}

export interface ServedPair {
  at: string
  input: string
  output: string
}

export interface ServedHistory {
  /** What is served now, by `resource_id`. */
  now: Map<string, ServedRow>
  /** Input and output, wherever one of them moved; rows that lack one are left out. */
  pairs: Map<string, ServedPair[]>
  /** Of the list of prices: it moves with every write. */
  version: string
}

export function emptyServed(): ServedHistory {
  return { now: new Map(), pairs: new Map(), version: '' }
}

/** Writes down what a step has changed. */
export async function follow(db: Db, served: ServedHistory, at: string): Promise<void> {
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

/** With which a row came back to what it had left. */
export function returnsOf(pairs: readonly ServedPair[]): ServedPair[] {
  return pairs.filter((_, index) => isLastReturn(pairs.slice(0, index + 1)))
}

export function isLastReturn(pairs: readonly ServedPair[]): boolean {
  const last = pairs.at(-1)
  return pairs.slice(0, -1).some(({ input, output }) => input === last?.input && output === last.output)
}

/** Rows whose amounts no single list has stated together: a mixture of what several say, or of several times. */
export function mixturesIn(served: ServedHistory, lists: Lists, at: string): string[] {
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
