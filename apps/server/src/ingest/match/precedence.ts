import { lookUp } from './identify.ts'
import { copiedPlatforms, officialSources, operatorSources, precedence, reliability } from './source-ranks.ts'

/** The place of a source among those that name a resource of the platform: the smaller, the more it counts. */
export function rankSource(source: string, platform: string | null): number {
  if (isOperator(source)) return -2
  if (isOfficial(source, platform)) return -1
  const index = precedence.indexOf(source)
  return index === -1 ? precedence.length : index
}

/**
 * How much a source's word on an amount weighs against the others': the log-odds of its being right there. Two weights
 * add up as the odds of two independent witnesses multiply. It is no rank: which spelling and link is served does not
 * depend on it, else a new measurement would rename what is served.
 */
export function weighSource(source: string, platform: string | null): number {
  if (isOperator(source)) return Infinity
  // More than any two others.
  if (isOfficial(source, platform)) return 10
  const measured = lookUp(reliability, source)
  const own = measured && platform !== null ? lookUp(measured.byPlatform, platform) : undefined
  // Who is read at all is right more often than not, and nobody outweighs two who are right most of the time.
  const share = Math.min(0.95, Math.max(0.6, own ?? measured?.overall ?? medianShare))
  return Math.round(10 * Math.log(share / (1 - share))) / 10
}

/** Of a source that is not measured. */
const medianShare = Object.values(reliability)
  .map(({ overall }) => overall)
  .sort((a, b) => a - b)[Object.keys(reliability).length >> 1]!

/** Whether the source is what the operator says. */
export function isOperator(source: string): boolean {
  return operatorSources.includes(source)
}

/** Whether the source is the platform's own word: its list, its page or its bill. */
export function isOfficial(source: string, platform: string | null): boolean {
  return platform !== null && lookUp(officialSources, source)?.platform === platform
}

/** Whether a source was written for people or for a bill, where one column or row is easily read for another. */
export function isReadByName(source: string): boolean {
  const kind = lookUp(officialSources, source)?.kind
  return kind === 'page' || kind === 'cloud'
}

/** The source that is the platform's own list; null: there is none. */
export function findOwnList(platform: string | null): string | null {
  const lists = Object.entries(officialSources).filter(([, { kind }]) => kind === 'list')
  return lists.find(([, own]) => own.platform === platform)?.[0] ?? null
}

/** Whose word a source repeats about a platform. Copies of one list have one origin and count once. */
export function findOrigin(source: string, platform: string | null): string {
  if (isOperator(source)) return 'operator'
  const isCopy = platform !== null && copiedPlatforms[source]?.includes(platform)
  return isCopy || isOfficial(source, platform) ? platform! : source
}

/** Whether two sources can confirm each other about a platform. */
export function areIndependent(a: string, b: string, platform: string | null): boolean {
  return findOrigin(a, platform) !== findOrigin(b, platform)
}
