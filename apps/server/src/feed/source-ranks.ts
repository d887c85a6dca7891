/**
 * Whose word counts for more. Data only: the rules that read it are in precedence.ts.
 */

/** First to last. What an operator states himself comes first; then lists whose prices are checked by hand. */
export const precedence: readonly string[] = [
  'own-json',
  'own-csv',
  'genai-prices',
  'llm-prices',
  'litellm',
  'models.dev',
  'portkey',
  'openrouter',
]

/** A platform's own list comes before every other for that platform. */
export const ownPlatforms: Readonly<Record<string, string>> = { openrouter: 'openrouter' }

/** Sources that copy from one place have one voice: they do not confirm each other. */
export const origins: Readonly<Record<string, string>> = { 'own-json': 'operator', 'own-csv': 'operator' }
