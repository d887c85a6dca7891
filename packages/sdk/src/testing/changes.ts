import { fakeId } from './api-key.ts'
import { blankChange, checkChange, timeNames } from './change-rules.ts'
import { dateOrInstantText, instantText, type FakeClock } from './clock.ts'
import { hasValues, type ListQuery } from './query.ts'
import { checkRows, present } from './refusal.ts'
import { RowsInOrder, type PageOfRows } from './rows-in-order.ts'
import type { Change, ChangeAlternative } from './rows.ts'

type Assigned = 'access' | 'created_at' | 'updated_at' | 'view_count' | 'alternatives'

/** A change to publish. What is left out of a new one has a plain value; the times are the fake's to give. */
export type FakeChange = Partial<Omit<Change, Assigned>> & {
  /** The best first. */
  alternatives?: Partial<Omit<ChangeAlternative, 'id' | 'change_id' | 'created_at'>>[] | undefined
}

export class Changes {
  readonly #rows = new RowsInOrder<Change>((row) => row.id)
  #count = 0
  #alternativeCount = 0

  all(): Change[] {
    return this.#rows.newestFirst()
  }

  /** Publishes changes, or changes the given fields of those there are; `updated_at` moves only where a value does. */
  put(changes: readonly FakeChange[], clock: FakeClock): Change[] {
    // All are checked before the first is stored.
    checkRows('putChanges', changes)
    for (const change of changes) checkChange(change)
    return changes.map((change) => {
      const micros = this.#rows.nextMicros(clock)
      const row = this.#complete(change, instantText(micros))
      return structuredClone(this.#rows.put(row, micros))
    })
  }

  page(query: ListQuery): PageOfRows<Change> {
    const { include_incidents, min_severity = '1', ...asked } = query.filters
    const isHidden = ({ category }: Change) => category === 'incident' && include_incidents !== 'true'
    const matches = (row: Change) =>
      hasValues(row, asked) &&
      (asked.category !== undefined || !isHidden(row)) &&
      row.severity >= Number(min_severity)
    return this.#rows.page(matches, query)
  }

  #complete({ alternatives, ...change }: FakeChange, instant: string): Change {
    const product = change.product ?? `${change.vendor ?? 'vendor-a'}/model-a`
    const row: Change = {
      ...(this.#rows.find(change.id ?? '') ?? {
        ...blankChange,
        id: change.id ?? fakeId('chg', (this.#count += 1)),
        vendor: product.split('/')[0] || 'unknown',
        product,
        title: `${product} has changed`.slice(0, 200),
        summary: `The vendor changed ${product}.`,
        first_seen: instant,
        last_seen: change.first_seen ?? instant,
        created_at: instant,
      }),
      ...present(change),
    }
    for (const name of timeNames) {
      const value = row[name]
      if (value != null) row[name] = dateOrInstantText(value)
    }
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
