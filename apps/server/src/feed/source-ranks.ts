/**
 * The precedence of sources. Data only: the rules that read it are in precedence.ts.
 */

/** An operator's own prices come before everything. */
export const operatorSources: readonly string[] = ['own-json', 'own-csv']

/** First to last: lists whose prices are checked by hand, then the larger ones. */
export const precedence: readonly string[] = [
  'genai-prices',
  'llm-prices',
  'litellm',
  'models.dev',
  'portkey',
  'openrouter',
]

/** A platform's own list comes before every other list for that platform. */
export const ownPlatforms: Readonly<Record<string, string>> = { openrouter: 'openrouter' }

/**
 * Platforms whose rows a list copies from the platform's own, so that it confirms nothing there. Of OpenRouter's rows
 * 249 of 297 in models.dev and 297 of 327 in Portkey agree with its own list to the digit (July and August 2026).
 */
export const copiedPlatforms: Readonly<Record<string, readonly string[]>> = {
  'models.dev': ['openrouter'],
  portkey: ['openrouter'],
}

/**
 * Lists whose ids are names of their own making and not those that a platform takes: `claude-4.5-haiku`,
 * `gpt-image-2-text`. They are no witness of how a maker spells its models.
 */
export const inventingSources: readonly string[] = ['llm-prices']

/**
 * What a list knows when it says `llm`. `none`: it says so of all that is billed by tokens; genai-prices calls
 * `text-embedding-3-small` one. `outputs`: it states what a model makes, and calls vectors and ranks text.
 */
export const modalityKnowledge: Readonly<Record<string, 'none' | 'outputs'>> = {
  'genai-prices': 'none',
  'llm-prices': 'none',
  'models.dev': 'outputs',
  openrouter: 'outputs',
  portkey: 'none',
}

/** The platform whose prices some lists file under the makers, and those lists. */
export const router = 'openrouter'
export const routerCopies: readonly string[] = ['genai-prices']
