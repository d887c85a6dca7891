import type { Card } from './card.ts'
import type { Item } from './counts.ts'
import { isAbove, plus, zero, type Exact } from './exact.ts'

// Long prompts cost more, and the whole request costs it: by the vendors' own pages that is so with OpenAI, Google,
// Anthropic, xAI and Alibaba alike. No vendor is known who bills only what lies above. What counts is the whole prompt:
// what was read from a cache and written to one as well.

/** The highest threshold of the card that the prompt has passed; null: none. */
export function thresholdPassed(
  { thresholds }: Card,
  platform: string | null,
  items: readonly Item[],
): number | null {
  // Most requests are short, whatever of them is the prompt.
  if (!isAbove(sumItems(items), { units: thresholds[0]! - 1, scale: 0 })) return null
  const tokens = sumItems(items.filter(isPrompt))
  const isReached = isReachedAt(platform)
  const found = thresholds.findLast((threshold) => {
    const edge = { units: isReached === null ? threshold : findEdge(threshold), scale: 0 }
    return isReached ? !isAbove(edge, tokens) : isAbove(tokens, edge)
  })
  return found ?? null
}

/** 200000, of 199999: the source meant what begins with the next token. */
export function findEdge(threshold: number): number {
  return threshold % 1_000 === 999 ? threshold + 1 : threshold
}

function sumItems(items: readonly Item[]): Exact {
  let sum = zero
  for (const { count } of items) sum = plus(sum, count)
  return sum
}

function isPrompt({ meter }: Item): boolean {
  return /^(?:(?:cached_)?input|cache_write)_.*tokens$/.test(meter)
}

/**
 * Whether a prompt of exactly the threshold passes it, where vendors say so themselves. Elsewhere it is as the catalog states
 * it: above. Sources write one threshold as 200000 and as 199999, so the catalog alone does not tell.
 */
function isReachedAt(platform: string | null): boolean | null {
  // "Requests whose prompt reaches the listed threshold".
  if (platform === 'xai') return true
  // "Prompts with more than 272K input tokens", "prompts > 200k tokens", "exceeds 200K input tokens".
  return /^(?:openai|azure|google|vertex_ai|anthropic|bedrock)$/.test(platform ?? '') ? false : null
}
