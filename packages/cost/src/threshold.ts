import type { Card } from './card.ts'
import { isAbove, isSame, plus, zero, type Exact } from './exact.ts'

// Long prompts cost more, and the whole request costs it: by the vendors' own pages that is so with OpenAI, Google,
// Anthropic, xAI and Alibaba alike. No vendor is known who bills only what lies above. What counts is the whole prompt:
// what was read from a cache and written to one as well.

/**
 * Vendors who say themselves what happens at the threshold itself. Elsewhere it is as the catalog states it: above.
 * Sources write one threshold as 200000 and as 199999, so the catalog alone does not tell.
 */
const isReachedAt: Readonly<Record<string, boolean>> = {
  // "Prompts with more than 272K input tokens".
  openai: false,
  azure: false,
  // "Prompts > 200k tokens".
  google: false,
  vertex_ai: false,
  // "Exceeds 200K input tokens".
  anthropic: false,
  bedrock: false,
  // "Requests whose prompt reaches the listed threshold".
  xai: true,
}

/** The highest threshold of the card that a prompt of so many tokens has passed; null: none. */
export function thresholdPassed({ thresholds }: Card, platform: string | null, tokens: Exact): number | null {
  const own = platform !== null && Object.hasOwn(isReachedAt, platform) ? isReachedAt[platform] : undefined
  for (let at = thresholds.length - 1; at >= 0; at -= 1) {
    const threshold = thresholds[at]!
    const edge: Exact = { units: BigInt(edgeOf(threshold)), scale: 0 }
    const isPassed =
      own === undefined
        ? isAbove(tokens, { units: BigInt(threshold), scale: 0 })
        : isAbove(tokens, edge) || (own && isSame(tokens, edge))
    if (isPassed) return threshold
  }
  return null
}

/** 200000, of 199999: the source meant what begins with the next token. */
export function edgeOf(threshold: number): number {
  return threshold % 1_000 === 999 ? threshold + 1 : threshold
}

/** How long the prompt was. */
export function promptTokens(items: readonly { meter: string; count: Exact }[]): Exact {
  let sum = zero
  for (const { meter, count } of items) if (isPrompt(meter)) sum = plus(sum, count)
  return sum
}

function isPrompt(meter: string): boolean {
  const isIn =
    meter.startsWith('input_') || meter.startsWith('cached_input_') || meter.startsWith('cache_write_')
  return isIn && meter.endsWith('_tokens')
}
