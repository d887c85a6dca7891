import type { Change, Price } from './generated/models.ts'
import { isObject, parseJson } from './operations.ts'

/** Fields of one record, before or after a change. */
export interface DiffFields extends Partial<Omit<Price, 'resource_id' | 'updated_at'>> {
  /** Prices that are not fields of a record, by name: cache writes, tiers, tool calls and so on. */
  rates?: Record<string, number>
  [field: string]: unknown
}

/**
 * What a change says of values, read from the JSON texts `diff_before`, `diff_after` and `diff_keys`. A part is undefined
 * when its text is missing, withheld or of another form; a change that was written by hand may have prose there.
 */
export interface ChangeDiff {
  /** The values before, by `resource_id`. */
  before: { [resourceId: string]: DiffFields | undefined } | undefined
  /** The values after, by `resource_id`. */
  after: { [resourceId: string]: DiffFields | undefined } | undefined
  /** What moved, each as `resource_id#field`. */
  keys: string[] | undefined
}

/** What a change has beside its fields. A class: TypeScript then knows that a copy by spread is without it. */
declare class WithDiff {
  /**
   * The diff of the change, read anew each time it is asked for. It is no field of the change: printing, JSON and copies
   * are without it.
   */
  get diff(): ChangeDiff
}

/** A change as the client gives it: with its diff within reach. */
export interface ListedChange extends Change, WithDiff {}

const diff: PropertyDescriptor & ThisType<Change> = {
  configurable: true,
  get(): ChangeDiff {
    return {
      before: read(this.diff_before, areRecords),
      after: read(this.diff_after, areRecords),
      keys: read(this.diff_keys, areTexts),
    }
  },
}

/** Puts the diff within reach of a change, out of sight. A field of that name, which a newer server may send, stays. */
export function addDiff(change: object): void {
  if (Object(change) === change && !Object.hasOwn(change, 'diff')) Object.defineProperty(change, 'diff', diff)
}

function read<T>(text: unknown, isForm: (value: unknown) => value is T): T | undefined {
  const value = parseJson(text as string)
  return isForm(value) ? value : undefined
}

function areRecords(value: unknown): value is { [resourceId: string]: DiffFields } {
  return isObject(value) && Object.values(value).every(isObject)
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
