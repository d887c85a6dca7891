import type { Count, Money } from '../types.ts'
import { count, has, inside, text, type Fields } from './shape.ts'

// Perplexity answers in OpenAI's form and counts more: docs.perplexity.ai, "Pricing" and "Sonar Deep Research".

/** Whether the fields are those that Perplexity alone has. */
export function isPerplexity(usage: Fields): boolean {
  return has(usage, 'search_context_size', 'citation_tokens', 'num_search_queries')
}

/** What is billed beside the completion. A request costs by how much was searched for it; deep research by the query. */
export function perplexityCounts(
  usage: Fields,
  reasoning: number,
): Record<string, Count | Record<string, number>> {
  if (!isPerplexity(usage)) {
    // Of a form that is not documented nobody knows whether it is part of the completion.
    const apart = count(usage, 'reasoning_tokens')
    return apart > 0 && apart !== reasoning ? { 'usage.reasoning_tokens': apart } : {}
  }
  const size = text(usage, 'search_context_size')
  const queries = count(usage, 'num_search_queries')
  return {
    citation_tokens: count(usage, 'citation_tokens'),
    reasoning_tokens: Math.max(reasoning, count(usage, 'reasoning_tokens')),
    searches: queries,
    ...(size !== undefined && queries === 0 && { requests: { [size]: 1 } }),
  }
}

/** What Perplexity says that it cost. */
export function perplexityReports(usage: Fields): Money | undefined {
  const cost = inside(usage, 'cost')
  return has(cost, 'total_cost') ? { amount: String(count(cost, 'total_cost')), currency: 'USD' } : undefined
}
