import { sql, type RawBuilder } from 'kysely'
import type { operations } from '@ratecard/contract'
import type { Cursor } from '../platform/cursor.ts'

// What the two lists have in common: where a list begins, and filters that follow from the contract.

export interface ListPosition {
  /** The row before the first one; null: the list begins at its beginning. */
  cursor: Cursor | null
  /** Most rows. */
  limit: number
}

/** The query parameters of an operation that choose rows. `since` is an instant as `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
export type FilterOf<Id extends 'listPrices' | 'listChanges'> = {
  [Name in Exclude<keyof QueryOf<Id>, 'cursor' | 'limit'>]?: QueryOf<Id>[Name] | undefined
}

type QueryOf<Id extends 'listPrices' | 'listChanges'> = NonNullable<operations[Id]['parameters']['query']>

/**
 * How a filter is applied: `equals`, by the column that has its value, or `own`, by a rule of the list's query, whose
 * best plan depends on the value or does not.
 */
export type FilterRule<Column> = { equals: Column } | { own: 'planned by value' | 'planned for all values' }

/** A rule for every filter of the contract but `since`. A parameter that is new there does not compile without one. */
export type FilterRules<Filter, Column> = Record<Exclude<keyof Filter, 'since'>, FilterRule<Column>>

type Values = Partial<Record<string, unknown>> & { since?: string | undefined }

/** The conditions of all filters but those with a rule of their own, always in the same order. */
export function filterConditions(
  rules: Record<string, FilterRule<string>>,
  filter: Values,
  cursor: Cursor | null,
): RawBuilder<boolean>[] {
  const { since } = filter
  const conditions = Object.entries(rules).flatMap(([name, rule]) =>
    'equals' in rule && filter[name] !== undefined
      ? [sql<boolean>`${sql.ref(rule.equals)} = ${filter[name]}`]
      : [],
  )
  if (since !== undefined) conditions.push(sql<boolean>`updated_at >= ${since}`)
  // Says nothing new, but tells the planner how little may lie between the two.
  if (since !== undefined && cursor) conditions.push(sql<boolean>`updated_at <= ${cursor.updatedAt}`)
  return conditions
}

/**
 * Whether the best plan of a list is the same for all values. With a filter it depends on how common the value is;
 * between `since` and a cursor may lie a few rows or nearly all, and PostgreSQL would suppose few, and sort them.
 */
export function canPrepare(
  rules: Record<string, FilterRule<string>>,
  filter: Values,
  cursor: Cursor | null,
): boolean {
  return (
    Object.entries(rules).every(
      ([name, rule]) =>
        filter[name] === undefined || ('own' in rule && rule.own === 'planned for all values'),
    ) &&
    (filter.since === undefined || cursor === null)
  )
}
