/** Where a source is published, and how often it is worth reading. `docs/feed.md` names format and licence of each. */
export interface SourceAddress {
  url: string
  /** As `parseDuration` reads it. */
  every: string
}

// GitHub answers conditional requests of the files of a branch with an ETag, so that a reading without news costs no
// transfer.
export const addresses = {
  'genai-prices': {
    url: 'https://raw.githubusercontent.com/pydantic/genai-prices/main/prices/new_data/v2/data.json',
    every: '6h',
  },
  litellm: {
    url: 'https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json',
    every: '1h',
  },
  'llm-prices': { url: 'https://www.llm-prices.com/historical-v1.json', every: '6h' },
  'models.dev': { url: 'https://models.dev/api.json', every: '1h' },
  openrouter: { url: 'https://openrouter.ai/api/v1/models', every: '1h' },
  portkey: { url: 'https://codeload.github.com/Portkey-AI/models/tar.gz/refs/heads/main', every: '6h' },
} satisfies Record<string, SourceAddress>
