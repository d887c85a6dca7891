import { isDateText, parseInstant } from '@ratecard/contract/instant'
import { fakeId } from './api-key.ts'
import { checkChange, timeNames } from './change-rules.ts'
import { RowsInOrder, type PageOfRows } from './rows-in-order.ts'
import type { FakeClock } from './clock.ts'
import type { ListQuery } from './query.ts'
import { checkRows } from './refusal.ts'
import type { Change, ChangeAlternative } from './rows.ts'

type Assigned = 'access' | 'created_at' | 'updated_at' | 'view_count' | 'alternatives'

/** A change to publish. What is left out of a new one has a plain value; the times are the fake's to give. */
export type FakeChange = Partial<Omit<Change, Assigned>> & {
  /** The best first. */
  alternatives?: Partial<Omit<ChangeAlternative, 'id' | 'change_id' | 'created_at'>>[] | undefined
}

type StoredChange = Change

export class Changes {
  readonly #rows = new RowsInOrder<StoredChange>((row) => row.id)
  #count = 0
  #alternativeCount = 0

  clear(): void {
    this.#rows.clear()
    this.#count = 0
    this.#alternativeCount = 0
  }

  all(): Change[] {
    return [...this.#rows.rows].reverse()
  }

  /** Publishes changes, or changes the given fields of those there are; `updated_at` moves only where a value does. */
  put(changes: readonly FakeChange[], clock: FakeClock): Change[] {
    // All are checked before the first is stored.
    checkRows('putChanges', changes)
    for (const change of changes) checkChange(change)
    return changes.map((change) => {
      const before = this.#rows.find(change.id ?? '')
      const instant = this.#rows.nextInstant(clock)
      const row = this.#complete(change, before, instant)
      const isMoved = !before || Object.entries(row).some(([name, value]) => isOther(before, name, value))
      if (isMoved) this.#rows.put({ ...row, updated_at: instant })
      return structuredClone(this.#rows.find(row.id) ?? row)
    })
  }

  page(query: ListQuery): PageOfRows<Change> {
    const { vendor, product, category, include_incidents, min_severity = '1' } = query.filters
    const matches = (row: StoredChange) =>
      (vendor === undefined || row.vendor === vendor) &&
      (product === undefined || row.product === product) &&
      (category === undefined
        ? row.category !== 'incident' || include_incidents === 'true'
        : row.category === category) &&
      row.severity >= Number(min_severity)
    return this.#rows.page(matches, query)
  }

  #complete(
    { alternatives, ...change }: FakeChange,
    before: StoredChange | undefined,
    instant: string,
  ): StoredChange {
    const given = present(change)
    const product = change.product ?? `${change.vendor ?? 'vendor-a'}/model-a`
    const fresh = {
      ...blank,
      id: change.id ?? fakeId('chg', (this.#count += 1)),
      vendor: product.split('/')[0] || 'unknown',
      product,
      title: `${product} has changed`.slice(0, 200),
      summary: `The vendor changed ${product}.`,
      first_seen: instant,
      last_seen: change.first_seen ?? instant,
      created_at: instant,
      updated_at: instant,
    }
    const row: StoredChange = { ...(before ?? fresh), ...given }
    tidyTimes(row)
    if (alternatives) row.alternatives = this.#alternatives(row.id, alternatives, instant)
    return row
  }

  #alternatives(
    changeId: string,
    given: NonNullable<FakeChange['alternatives']>,
    instant: string,
  ): ChangeAlternative[] {
    const rows = given.map((alternative, index) => ({
      id: fakeId('alt', (this.#alternativeCount += 1)),
      change_id: changeId,
      product_id: 'vendor-b/model-b',
      product_name: alternative.product_id ?? 'Model B',
      vendor: alternative.product_id?.split('/')[0] ?? 'vendor-b',
      migration_effort: 'low' as const,
      cost_diff_pct: null,
      quality_comparison: null,
      notes: null,
      rank: index + 1,
      ...present(alternative),
      created_at: instant,
    }))
    return rows.sort((a, b) => a.rank - b.rank)
  }
}

function present<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>
}

function isOther(row: object, name: string, value: unknown): boolean {
  return JSON.stringify((row as Record<string, unknown>)[name]) !== JSON.stringify(value)
}

// In the order in which the service sends the fields. An empty text is always replaced.
const blank = {
  id: '',
  vendor: '',
  product: '',
  modality: 'llm',
  category: 'price_cut',
  severity: 3,
  title: '',
  summary: '',
  diff_before: null,
  diff_after: null,
  diff_keys: null,
  impact_score: 0,
  impact_cost: null,
  impact_reliability: null,
  impact_migration: null,
  impact_quality: null,
  impact_compliance: null,
  impact_notes: null,
  migration_deadline: null,
  effective_time: null,
  first_seen: '',
  last_seen: '',
  verified: null,
  verified_at: null,
  status: null,
  created_at: '',
  updated_at: '',
  alternatives: [],
  access: 'full',
} satisfies Omit<Change, 'view_count'>

/** Instants as the service writes them; a plain date stays one. They have been checked. */
function tidyTimes(row: Change): void {
  for (const name of timeNames) {
    const value = row[name]
    if (value != null && !isDateText(value)) row[name] = parseInstant(value) ?? value
  }
}
