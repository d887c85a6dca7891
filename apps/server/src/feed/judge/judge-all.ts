import { linkAll, namingOf, type Identified } from '../linking.ts'
import type { FeedPolicy } from '../policy.ts'
import { isOperator, ownListOf } from '../precedence.ts'
import type { Claim } from './claim.ts'
import { judgeResource, type Verdict } from './judge-resource.ts'
import { findPeers } from './peers.ts'

const unidentified: Identified = { product_id: null, vendor: 'unknown', modality: null }

/**
 * Decides all that is served from all claims, by resource key. Resources that do not exist, or that are gone for long,
 * have no verdict: they are not served.
 * @param at the moment of the decision, RFC 3339 in UTC
 */
export function judgeAll(claims: readonly Claim[], at: string, policy: FeedPolicy): Map<string, Verdict> {
  const identified = linkAll(claims.map(({ source, stated }) => namingOf(source, stated)))
  const peers = findPeers(
    claims,
    (key) => identified.get(key)?.product_id ?? null,
    policy.guards.peerPlatformsMin,
  )
  const verdicts = new Map<string, Verdict>()
  for (const [key, all] of Map.groupBy(claims, (claim) => claim.key)) {
    const existing = whereItExists(all)
    if (existing.length === 0) continue
    const verdict = judgeResource(existing, identified.get(key) ?? unidentified, peers, policy)
    if (!isLongGone(verdict, at, policy)) verdicts.set(key, verdict)
  }
  return verdicts
}

/**
 * The claims that count. A platform's own list decides what exists there: of 968 rows that lists had of OpenRouter, 632
 * were not in its own (2026-08-01). What it dropped is gone, whoever still lists it; while it was never read, its
 * platform has no rows but the operator's.
 */
function whereItExists(claims: readonly Claim[]): readonly Claim[] {
  const ownList = ownListOf(claims[0]!.stated.platform)
  if (ownList === null) return claims
  const operator = claims.filter(({ source, removedAt }) => isOperator(source) && removedAt === null)
  const own = claims.find(({ source }) => source === ownList)
  if (!own) return operator
  if (own.removedAt === null) return claims
  return operator.length > 0 ? operator : [own]
}

function isLongGone({ goneSince }: Verdict, at: string, { guards }: FeedPolicy): boolean {
  return goneSince !== null && Date.parse(at) - Date.parse(goneSince) >= guards.goneDays * 86_400_000
}
