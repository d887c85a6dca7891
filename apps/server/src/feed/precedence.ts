import { copiedPlatforms, operatorSources, ownPlatforms, precedence } from './source-ranks.ts'

/** A source with a record of a resource. */
export interface Candidate {
  source: string
  /** When its removal was accepted; null: the source has the resource. */
  removedAt: string | null
}

/**
 * The source whose record of a resource is served: a source that still has it before one that does not, then the
 * operator's prices, then a platform's own data, then the order of `precedence`.
 */
export function ownerOf<T extends Candidate>(
  platform: string | null,
  candidates: readonly T[],
): T | undefined {
  return candidates.toSorted(
    (a, b) =>
      Number(a.removedAt !== null) - Number(b.removedAt !== null) || rank(platform, a) - rank(platform, b),
  )[0]
}

function rank(platform: string | null, { source }: Candidate): number {
  if (operatorSources.includes(source)) return -2
  if (platform !== null && ownPlatforms[source] === platform) return -1
  const index = precedence.indexOf(source)
  return index === -1 ? precedence.length : index
}

/** Whether two sources can confirm each other about a platform: copies of one list count once. */
export function areIndependent(a: string, b: string, platform: string | null): boolean {
  return originOf(a, platform) !== originOf(b, platform)
}

function originOf(source: string, platform: string | null): string {
  if (operatorSources.includes(source)) return 'operator'
  return platform !== null && copiedPlatforms[source]?.includes(platform) ? platform : source
}
