/**
 * The ids of the names on Anthropic's price page, from its models overview and its list of retirements, as of 2026-08-21.
 * A name that is not here is not read.
 */
export const anthropicIds: Readonly<Record<string, readonly string[]>> = {
  'Claude Fable 5': ['claude-fable-5'],
  'Claude Haiku 3': ['claude-3-haiku-20240307'],
  'Claude Haiku 3.5': ['claude-3-5-haiku-20241022'],
  'Claude Haiku 4.5': ['claude-haiku-4-5', 'claude-haiku-4-5-20251001'],
  'Claude Mythos 5': ['claude-mythos-5'],
  'Claude Opus 3': ['claude-3-opus-20240229'],
  'Claude Opus 4': ['claude-opus-4-20250514'],
  'Claude Opus 4.1': ['claude-opus-4-1', 'claude-opus-4-1-20250805'],
  'Claude Opus 4.5': ['claude-opus-4-5', 'claude-opus-4-5-20251101'],
  'Claude Opus 4.6': ['claude-opus-4-6'],
  'Claude Opus 4.7': ['claude-opus-4-7'],
  'Claude Opus 4.8': ['claude-opus-4-8'],
  'Claude Opus 5': ['claude-opus-5'],
  'Claude Sonnet 3.7': ['claude-3-7-sonnet-20250219'],
  'Claude Sonnet 4': ['claude-sonnet-4-20250514'],
  'Claude Sonnet 4.5': ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'],
  'Claude Sonnet 4.6': ['claude-sonnet-4-6'],
  'Claude Sonnet 5': ['claude-sonnet-5'],
}
