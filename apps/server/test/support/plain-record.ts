import type { SourceRecord } from '../../src/ingest/source-record.ts'

/** What a source says of `gpt-9` at OpenAI that states amounts of tokens and nothing else. Tests add the amounts and the key. */
export const plainRecord = {
  resource_id: 'openai:gpt-9',
  product_id: null,
  vendor: 'openai',
  platform: 'openai',
  modality: 'llm',
  region: null,
  unit: '1m_tokens',
  image_per_unit: null,
  audio_per_min: null,
  video_per_sec: null,
  currency: 'USD',
  source_url: null,
  effective_at: null,
  model_name: 'gpt-9',
  is_named: false,
  rates: [],
  retires_on: null,
  scheduled: [],
} satisfies Partial<SourceRecord>
