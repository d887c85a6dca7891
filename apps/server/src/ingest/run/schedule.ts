import type { ScheduledSource } from '../../platform/settings/workers.ts'
import { parseDuration } from '../../platform/duration.ts'
import { UserError } from '../../platform/user-error.ts'
import { lookUp } from '../match/identify.ts'
import { addresses, type SourceAddress } from '../sources/addresses.ts'
import { sources, type Source, type SourceName } from '../sources/index.ts'

/** A source that workers read on a schedule. */
export interface ScheduledFeed {
  source: SourceName
  /** Null: the data that the program contains. */
  url: string | null
  everyMs: number
}

/**
 * The sources in `FEED_SOURCES`.
 * @throws UserError when it names an unknown source, or one that cannot be read from the given location
 */
export function readSchedule(items: readonly ScheduledSource[]): ScheduledFeed[] {
  return items.map(({ source: name, url, every }) => {
    if (!isSource(name)) {
      const known = Object.keys(sources).join(', ')
      throw new UserError(`FEED_SOURCES names ${JSON.stringify(name)}, and the sources are ${known}.`)
    }
    const source: Source = sources[name]
    const address = url ?? (source.bundled ? null : source.url)
    if (address === undefined)
      throw new UserError(`FEED_SOURCES gives no url for ${name}, which has no public address.`)
    const interval = every ?? source.every
    if (interval === undefined)
      throw new UserError(`FEED_SOURCES does not say how often to read ${name}: give it every.`)
    if (url !== undefined && hasPassword(url))
      throw new UserError(`FEED_SOURCES gives ${name} a url with a name or password: those are not read.`)
    return { source: name, url: address, everyMs: parseDuration(interval) ?? 0 }
  })
}

/** How often a source of `FEED_SOURCES` is read; null: `readSchedule` refuses it. */
export function findInterval({ source: name, every }: ScheduledSource): string | null {
  const source: Source | null = isSource(name) ? sources[name] : null
  return every ?? source?.every ?? null
}

/** The sources with a public address that are read unless others are named. */
export function publicSources(): SourceName[] {
  return addressedSources().filter((name) => findPublished(name)?.isNamedOnly !== true)
}

/** The sources with a public address. */
export function addressedSources(): SourceName[] {
  return Object.keys(addresses) as (keyof typeof addresses)[]
}

function findPublished(name: string): SourceAddress | undefined {
  return lookUp<SourceAddress>(addresses, name)
}

/** The address of a source: the operator's, else its public one; null: it has neither. */
export function findAddress(name: SourceName, schedule: readonly ScheduledSource[]): string | null {
  const { url }: Source = sources[name]
  return schedule.find((item) => item.source === name)?.url ?? url ?? null
}

/**
 * The key that an address of a source is asked with: a key goes to the source's own origin alone.
 * @throws UserError when that answers with a key only, and there is none
 */
export function findKey(
  source: SourceName,
  url: string,
  keys: Readonly<Record<string, string>>,
): string | undefined {
  const own = findPublished(source)
  if (own === undefined || URL.parse(url)?.origin !== new URL(own.url).origin) return undefined
  const key = lookUp(keys, source)
  if (key === undefined && own.needsKey === true)
    throw new UserError(
      `The source ${source} answers only with a key of your own: set FEED_KEYS to {"${source}":"…"}.`,
    )
  return key
}

function isSource(name: string): name is SourceName {
  return Object.hasOwn(sources, name)
}

function hasPassword(url: string): boolean {
  const { username, password } = new URL(url)
  return username !== '' || password !== ''
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Prices begin at midnight in UTC by the database's clock, which may be a little behind. */
const afterMidnightMs = 30_000

/** When dated prices are checked next: within the hour, and soon after the day has begun. */
export function nextDueAt(now: Date): Date {
  const nowMs = now.getTime()
  const midnightMs = (Math.floor((nowMs - afterMidnightMs) / dayMs) + 1) * dayMs
  return new Date(Math.min(nowMs + hourMs, midnightMs + afterMidnightMs))
}
