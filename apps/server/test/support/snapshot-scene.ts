import { beforeAll } from 'vitest'
import { createFeeder } from './feed-runs.ts'
import type { TestDatabase } from './postgres.ts'
import { useCommands } from './use-commands.ts'

// Three prices with all that can be stored of one: hours and an announcement, a long context and a batch, a region.

export const ids = {
  deepseek: 'deepseek:deepseek-chat',
  gemini: 'google:gemini-2.5-pro',
  bedrock: 'bedrock:us:us.anthropic.claude-sonnet-4-5-20250929-v1:0',
}

export const days = ['2026-03-01T12:00:00.000000Z', '2026-03-02T12:00:00.000000Z'] as const

export const litellmRows = {
  'deepseek/deepseek-chat': {
    litellm_provider: 'deepseek',
    mode: 'chat',
    input_cost_per_token: 2.8e-7,
    output_cost_per_token: 1.1e-6,
    cache_read_input_token_cost: 7e-8,
  },
  'gemini/gemini-2.5-pro': {
    litellm_provider: 'gemini',
    mode: 'chat',
    input_cost_per_token: 1.25e-6,
    output_cost_per_token: 1e-5,
    input_cost_per_token_above_200k_tokens: 2.5e-6,
    output_cost_per_token_above_200k_tokens: 1.5e-5,
    input_cost_per_token_batches: 6.25e-7,
    search_context_cost_per_query: { search_context_size_low: 0.035 },
    deprecation_date: '2999-06-17',
    source: 'https://prices.example/gemini',
  },
  'us.anthropic.claude-sonnet-4-5-20250929-v1:0': {
    litellm_provider: 'bedrock_converse',
    mode: 'chat',
    input_cost_per_token: 3.3e-6,
    output_cost_per_token: 1.65e-5,
    cache_creation_input_token_cost: 4.125e-6,
    cache_creation_input_token_cost_above_1hr: 6.6e-6,
  },
}

const ownPrices = [
  {
    resource_id: ids.deepseek,
    input_per_mtok: '0.27',
    output_per_mtok: '1.1',
    effective_at: '2026-02-01',
    rates: [
      { meter: 'input_tokens', unit: '1m_tokens', amount: '0.135', hours: '16:30-00:30' },
      { meter: 'output_tokens', unit: '1m_tokens', amount: '0.55', hours: '16:30-00:30' },
    ],
  },
  { resource_id: ids.deepseek, input_per_mtok: '0.54', output_per_mtok: '2.2', effective_at: '2999-01-01' },
]

/** The three prices on the first day; on the second Gemini's input is 1.2 instead of 1.25. */
export function useScene(database: TestDatabase) {
  const commands = useCommands(database)
  const feed = createFeeder(() => database.db)
  const cheaper = { ...litellmRows['gemini/gemini-2.5-pro'], input_cost_per_token: 1.2e-6 }
  beforeAll(async () => {
    await feed(days[0], JSON.stringify(litellmRows))
    await feed(days[0], JSON.stringify(ownPrices), { source: 'own-json' })
    await feed(days[1], JSON.stringify({ ...litellmRows, 'gemini/gemini-2.5-pro': cheaper }))
  })
  return commands
}
