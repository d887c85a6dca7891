import { doubt, rate } from '../../../packages/cost/src/unit.ts'
import type { VendorRule } from './cost-rules.ts'

// When prices moved, as vendors announced it and the list does not say.

const thinking = [rate('reasoning_tokens', '3.5'), doubt('reasoning_tokens')]

export const moveRules: () => readonly VendorRule[] = () => [
  // Moves that vendors announced, and that are before the list: OpenAI, Anthropic, Google, Mistral and Cohere.
  {
    records: /^(?:openai|azure):gpt-4o$/,
    earlier: [{ until: '2024-08-06', input_per_mtok: '5', output_per_mtok: '15' }],
  },
  {
    records: /^openai:o1-mini$/,
    earlier: [
      { until: '2025-01-31', input_per_mtok: '3', cached_input_per_mtok: '1.5', output_per_mtok: '12' },
    ],
  },
  {
    records: /^anthropic:claude-3-5-haiku/,
    earlier: [
      {
        until: '2024-12-03',
        input_per_mtok: '1',
        cached_input_per_mtok: '0.1',
        output_per_mtok: '5',
        rates: [rate('cache_write_tokens', '1.25'), rate('price_multiplier', '0.5', 'batch')],
      },
    ],
  },
  {
    records: /^google:gemini-1\.5-pro$/,
    earlier: [
      {
        until: '2024-10-01',
        input_per_mtok: '3.5',
        output_per_mtok: '10.5',
        rates: [rate('input_tokens', '7', null, 128_000), rate('output_tokens', '21', null, 128_000)],
      },
    ],
  },
  {
    records: /^google:gemini-1\.5-flash$/,
    earlier: [
      {
        until: '2024-08-12',
        input_per_mtok: '0.35',
        output_per_mtok: '1.05',
        rates: [rate('input_tokens', '0.7', null, 128_000), rate('output_tokens', '2.1', null, 128_000)],
      },
    ],
  },
  // ai.google.dev, "Gemini Developer API pricing", 2025-04 to 2025-06: thinking cost 3.50 USD, and whether the text of such an
  // answer cost that as well it does not say. The second preview took over the prices of the model that replaced it.
  {
    records: /^google:gemini-2\.5-flash-preview$/,
    amounts: { cached_input_per_mtok: '0.0375' },
    rates: thinking,
    endedOn: '2025-07-15',
  },
  {
    records: /^google:gemini-2\.5-flash-preview-05-20$/,
    earlier: [
      {
        until: '2025-06-20',
        input_per_mtok: '0.15',
        cached_input_per_mtok: '0.0375',
        output_per_mtok: '0.6',
        rates: thinking,
      },
    ],
    amounts: { input_per_mtok: '0.3', cached_input_per_mtok: '0.075', output_per_mtok: '2.5' },
    endedOn: '2025-07-15',
  },
  {
    records: /^mistral:mistral-nemo$/,
    earlier: [{ until: '2024-09-18', input_per_mtok: '0.3', output_per_mtok: '0.3' }],
  },
  {
    records: /^cohere:command-r$/,
    earlier: [{ until: '2024-08-30', input_per_mtok: '0.5', output_per_mtok: '1.5' }],
  },
  {
    records: /^cohere:command-r-plus$/,
    earlier: [{ until: '2024-08-30', input_per_mtok: '3', output_per_mtok: '15' }],
  },
  {
    records: /^deepseek:deepseek-chat$/,
    earlier: [
      {
        until: '2025-02-08',
        input_per_mtok: '0.14',
        cached_input_per_mtok: '0.014',
        output_per_mtok: '0.28',
      },
    ],
  },
  // api-docs.deepseek.com, "Models & Pricing" and its news: V3.1, V3.2-Exp, then V4 Flash under both names until they ended.
  ...['deepseek-chat', 'deepseek-reasoner'].map((name, at) => ({
    records: new RegExp(`^deepseek:${name}$`),
    input: ['0.27', '0.55'][at]!,
    later: [
      { from: '2025-09-05', input_per_mtok: '0.56', cached_input_per_mtok: '0.07', output_per_mtok: '1.68' },
      { from: '2025-09-29', input_per_mtok: '0.28', cached_input_per_mtok: '0.028', output_per_mtok: '0.42' },
      {
        from: '2026-04-24',
        input_per_mtok: '0.14',
        cached_input_per_mtok: '0.0028',
        output_per_mtok: '0.28',
      },
    ],
    endedOn: '2026-07-24',
  })),
]
