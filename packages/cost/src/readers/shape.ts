import { UsageError } from '../errors.ts'
import type { Count, Counts } from '../types.ts'
import { findSign, unreadMessage } from './signs.ts'

// What the readers share: fields are read by their names, and what is no count is no 0.

export type Fields = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

/** The object in a field; an empty one where there is none. */
export function inside(fields: Fields, name: string): Fields {
  const value = fields[name]
  return isObject(value) ? value : nothing
}

const nothing: Fields = Object.freeze({})

/** The usage in an answer, or the object itself where it is the usage alone. */
export function usageIn(answer: unknown, name = 'usage'): { outer: Fields; usage: Fields } {
  const outer = isObject(answer) ? answer : nothing
  const { [name]: own } = outer
  return { outer, usage: isObject(own) ? own : outer }
}

/** How many; 0 where the field is not there. @throws UsageError where it is there and is no count */
export function count(fields: Fields, name: string): number {
  const value = fields[name]
  if (value === undefined || value === null) return 0
  if (typeof value !== 'number' || !(value >= 0) || !Number.isFinite(value))
    throw new UsageError(`"${name}" is no count, so nobody knows how much was used.`)
  return value
}

/** Whether one of the fields is there. */
export function has(fields: Fields, ...names: string[]): boolean {
  return names.some((name) => fields[name] !== undefined && fields[name] !== null)
}

export function text(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** When it was: vendors write seconds or RFC 3339. */
export function time(fields: Fields, ...names: string[]): string | number | Date | undefined {
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'string' || typeof value === 'number' || value instanceof Date) return value
  }
  return undefined
}

/** What is left of a whole without its parts. @throws UsageError where they are more than the whole */
export function without(whole: number, name: string, ...parts: number[]): number {
  const left = parts.reduce((rest, part) => rest - part, whole)
  if (left < 0)
    throw new UsageError(
      `The parts of "${name}" are more than the whole: nobody knows what is counted twice.`,
    )
  return left
}

/** @throws UsageError where the answer's own sum is none of these: something would be counted twice, or lost */
export function checkTotal(fields: Fields, name: string, ...sums: number[]): void {
  if (has(fields, name) && !sums.includes(count(fields, name)))
    throw new UsageError(
      `"${name}" is ${count(fields, name)}, and the parts are ${[...new Set(sums)].join(' or ')}: this is another vendor's answer, or a later form. Name its "reader".`,
    )
}

/** Counts without what was not used. */
export function keepUsed(counts: Record<string, Count | Record<string, number> | undefined>): Counts {
  const used = Object.entries(counts).filter(([, value]) =>
    isObject(value) ? Object.values(value).some((one) => one !== 0) : value !== undefined && value !== 0,
  )
  return Object.fromEntries(used)
}

/** A count by kind, of those that were used; a number alone where none of them has a name. */
export function countKinds(kinds: Readonly<Record<string, number>>): number | Record<string, number> {
  const used = Object.entries(kinds).filter(([, one]) => one > 0)
  return used.every(([kind]) => kind === '') ? (used[0]?.[1] ?? 0) : Object.fromEntries(used)
}

/** @throws UsageError that says what to do */
export function refuse(answer: unknown, reader: string): never {
  const sign = findSign(answer)
  const message =
    sign === undefined || sign.includes(reader)
      ? `The reader ${reader} finds no usage in it: give the whole answer.`
      : `The reader ${reader} does not read this: take the "reader" ${sign}.`
  throw new UsageError(unreadMessage(answer) ?? message)
}

/** How long writes to a cache live, where an answer does not say. */
export interface CacheOptions {
  /** Without it, writes of an unknown life have no price: an hour costs more than five minutes. */
  readonly cacheTtl?: '5m' | '1h' | undefined
}

/** Writes to a cache by their time to live. */
export function cacheWrites(
  all: number,
  byTtl: Readonly<Record<string, number>>,
  { cacheTtl }: CacheOptions,
): Record<string, number> {
  const told = Object.values(byTtl).reduce((sum, one) => sum + one, 0)
  if (told === 0 && all > 0) return { [cacheTtl ?? 'unknown']: all }
  if (all !== 0 && told !== all)
    throw new UsageError(
      'The writes to the cache by time to live are not all writes: nobody knows how long the rest lives.',
    )
  return { ...byTtl }
}

/** Without fields that say nothing. */
export function said<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Value
}
