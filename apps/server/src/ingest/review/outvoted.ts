import { agreeOn } from '../amounts.ts'
import type { Evidence } from '../changes/feed-state.ts'
import type { FeedPolicy } from '../policy.ts'
import { isOperator, isOfficial, findOrigin } from '../match/precedence.ts'

/** Who states an amount, and what the others state of it. */
export type Poll = Evidence[string]

/** How many independent origins state an amount, and how many state the other amount that most of them do. */
function countOrigins(
  { said_by, denied_by }: Poll,
  platform: string | null,
  policy: FeedPolicy,
): { saying: number; denying: number } {
  const origins = (sources: readonly string[]) =>
    new Set(sources.map((source) => findOrigin(source, platform))).size
  const denials = Object.entries(denied_by)
  const groups = denials.map(([, amount]) =>
    denials.flatMap(([source, value]) => (agreeOn(amount, value, policy) ? [source] : [])),
  )
  return { saying: origins(said_by), denying: Math.max(0, ...groups.map(origins)) }
}

/**
 * Whether two or more independent origins that agree deny an amount, and more of them than state it. What the operator or
 * the platform's own list states is never outvoted.
 */
export function isOutvoted(poll: Poll, platform: string | null, policy: FeedPolicy): boolean {
  if (poll.said_by.some((source) => isOperator(source) || isOfficial(source, platform))) return false
  const { saying, denying } = countOrigins(poll, platform, policy)
  return denying > Math.max(1, saying)
}
