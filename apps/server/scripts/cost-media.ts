import type { Amounts } from '../src/ingest/source-record.ts'
import type { Rate } from '../src/catalog/rate-card.ts'

// What the list of prices lacks and its vendors sell: pictures, speech, video, reranking, fine-tuned models, and some of its newest. Each from the
// vendor's page, or where two lists state it alike.

interface Sold extends Partial<Amounts> {
  readonly resource_id: string
  readonly product_id: string
  readonly vendor: string
  readonly platform: string
  readonly modality: string
  readonly source_url: string
  readonly rates?: Rate[]
  /** By which it is sold as well. */
  readonly names?: readonly string[]
}

const units: Record<string, string> = {
  output_images: 'image',
  output_video_seconds: 'second',
  input_characters: '1m_characters',
  queries: 'query',
  requests: 'request',
  input_audio_minutes: 'minute',
}

function rate(
  meter: string,
  amount: string,
  variant: string | null = null,
  service_tier: string | null = null,
): Rate {
  return {
    meter,
    unit: units[meter] ?? '1m_tokens',
    amount,
    service_tier,
    variant,
    threshold: null,
    hours: null,
  }
}

/** Prices of one meter by kind: `1024x1024 0.04`. */
function kinds(meter: string, text: string, tier: string | null = null): Rate[] {
  const pairs = text.trim().split(/\s*,\s*/)
  return pairs.map((pair) => {
    const [variant = '', amount = ''] = pair.split(' ')
    return rate(meter, amount, variant, tier)
  })
}

type Rest = Omit<Sold, 'resource_id' | 'product_id' | 'vendor' | 'platform' | 'modality' | 'source_url'>

/** Models that a vendor sells itself. */
function sellerOf(platform: string, vendor: string, source_url: string) {
  return (modality: string, id: string, rest: Rest): Sold => ({
    resource_id: `${platform}:${id}`,
    product_id: `${vendor}/${id}`,
    vendor,
    platform,
    modality,
    source_url,
    ...rest,
  })
}

const openai = sellerOf('openai', 'openai', 'https://developers.openai.com/api/docs/pricing')
const anthropic = sellerOf(
  'anthropic',
  'anthropic',
  'https://platform.claude.com/docs/en/about-claude/pricing',
)
const google = sellerOf('google', 'google', 'https://ai.google.dev/gemini-api/docs/pricing')
const vertex = sellerOf('vertex_ai', 'google', 'https://cloud.google.com/vertex-ai/generative-ai/pricing')
const xai = sellerOf('xai', 'xai', 'https://docs.x.ai/docs/models')
const cohere = sellerOf('cohere', 'cohere', 'https://cohere.com/pricing')
const voyage = sellerOf('voyage', 'voyage', 'https://docs.voyageai.com/docs/pricing')
const deepgram = sellerOf('deepgram', 'deepgram', 'https://deepgram.com/pricing')
const azure = sellerOf('azure', 'openai', 'https://prices.azure.com/api/retail/prices')
const bedrock = sellerOf('bedrock', 'amazon', 'https://aws.amazon.com/bedrock/pricing/')

const tokens = (input: string, cached: string, output: string) => ({
  input_per_mtok: input,
  cached_input_per_mtok: cached,
  output_per_mtok: output,
})
const fast = '720p 0.1, 1080p 0.12, 4k 0.3'

export const soldBeside: readonly Sold[] = [
  // "Pricing", 2026-02-26: DALL·E by size and quality, TTS by characters; 2026-05: Sora by size.
  openai('image', 'dall-e-3', {
    rates: kinds(
      'output_images',
      '1024x1024 0.04, 1024x1792 0.08, 1792x1024 0.08, 1024x1024/hd 0.08, 1024x1792/hd 0.12, 1792x1024/hd 0.12',
    ),
  }),
  openai('image', 'dall-e-2', {
    rates: kinds('output_images', '256x256 0.016, 512x512 0.018, 1024x1024 0.02'),
  }),
  openai('audio', 'tts-1', { rates: [rate('input_characters', '15')], names: ['tts-1-1106'] }),
  openai('audio', 'tts-1-hd', { rates: [rate('input_characters', '30')], names: ['tts-1-hd-1106'] }),
  openai('video', 'sora-2', {
    video_per_sec: '0.1',
    rates: [
      ...kinds('output_video_seconds', '720x1280 0.1, 1280x720 0.1'),
      rate('output_video_seconds', '0.05', null, 'batch'),
      ...kinds('output_video_seconds', '720x1280 0.05, 1280x720 0.05', 'batch'),
    ],
  }),
  openai('video', 'sora-2-pro', {
    rates: [
      ...kinds(
        'output_video_seconds',
        '720x1280 0.3, 1280x720 0.3, 1024x1792 0.5, 1792x1024 0.5, 1080x1920 0.7, 1920x1080 0.7',
      ),
      ...kinds(
        'output_video_seconds',
        '720x1280 0.15, 1280x720 0.15, 1024x1792 0.25, 1792x1024 0.25, 1080x1920 0.35, 1920x1080 0.35',
        'batch',
      ),
    ],
  }),
  // "Pricing", fine-tuning; LiteLLM's map of 2026-08-01 has the same.
  openai('llm', 'ft:gpt-4.1-2025-04-14', tokens('3', '0.75', '12')),
  openai('llm', 'ft:gpt-4.1-mini-2025-04-14', tokens('0.8', '0.2', '3.2')),
  openai('llm', 'ft:gpt-4.1-nano-2025-04-14', tokens('0.2', '0.05', '0.8')),
  openai('llm', 'ft:o4-mini-2025-04-16', tokens('4', '1', '16')),
  // "Pricing": what replaced the first models for completion; and the first states of spoken chat, which cost more than the later
  // ones, as LiteLLM's map has them.
  openai('llm', 'davinci-002', { input_per_mtok: '2', output_per_mtok: '2' }),
  openai('llm', 'babbage-002', { input_per_mtok: '0.4', output_per_mtok: '0.4' }),
  openai('llm', 'gpt-4o-audio-preview-2024-10-01', {
    input_per_mtok: '2.5',
    output_per_mtok: '10',
    rates: [rate('input_audio_tokens', '100'), rate('output_audio_tokens', '200')],
  }),
  openai('llm', 'gpt-4o-realtime-preview-2024-10-01', {
    ...tokens('5', '2.5', '20'),
    rates: [
      rate('input_audio_tokens', '100'),
      rate('cached_input_audio_tokens', '20'),
      rate('output_audio_tokens', '200'),
    ],
  }),
  // "Speech-to-Text-Batch-Whisper-glbl", 0.36 USD an hour.
  azure('audio', 'whisper', { audio_per_min: '0.006', names: ['whisper-1', 'whisper-001'] }),
  // "Gemini Developer API pricing", 2026-05-07; on Vertex AI as LiteLLM's map has that page.
  ...[google, vertex].flatMap((sold) => [
    sold('image', 'imagen-4.0-generate-001', { image_per_unit: '0.04' }),
    sold('image', 'imagen-4.0-ultra-generate-001', { image_per_unit: '0.06' }),
    sold('image', 'imagen-4.0-fast-generate-001', { image_per_unit: '0.02' }),
  ]),
  google('video', 'veo-3.1-generate-preview', {
    rates: kinds('output_video_seconds', '720p 0.4, 1080p 0.4, 4k 0.6'),
  }),
  google('video', 'veo-3.1-fast-generate-preview', { rates: kinds('output_video_seconds', fast) }),
  google('video', 'veo-3.1-lite-generate-preview', {
    rates: kinds('output_video_seconds', '720p 0.05, 1080p 0.08'),
  }),
  google('video', 'veo-3.0-generate-001', { video_per_sec: '0.4' }),
  google('video', 'veo-3.0-fast-generate-001', { rates: kinds('output_video_seconds', fast) }),
  google('video', 'veo-2.0-generate-001', { video_per_sec: '0.35' }),
  google('audio', 'gemini-3.1-flash-tts-preview', { input_per_mtok: '1', output_per_mtok: '20' }),
  google('llm', 'gemini-robotics-er-1.6-preview', {
    ...{ input_per_mtok: '1', output_per_mtok: '5' },
    rates: [rate('input_audio_tokens', '2')],
  }),
  google('audio', 'lyria-3-clip-preview', { rates: [rate('requests', '0.04')] }),
  google('audio', 'lyria-3-pro-preview', { rates: [rate('requests', '0.08')] }),
  // "Pricing", 2026-08-11.
  anthropic('llm', 'claude-mythos-5', {
    ...tokens('10', '1', '50'),
    rates: [rate('cache_write_tokens', '12.5'), rate('cache_write_tokens', '20', '1h')],
  }),
  // "Models and Pricing", 2026-05.
  xai('image', 'grok-imagine-image', { image_per_unit: '0.02' }),
  xai('image', 'grok-imagine-image-quality', { image_per_unit: '0.05' }),
  xai('image', 'grok-imagine-image-pro', { image_per_unit: '0.07' }),
  xai('video', 'grok-imagine-video', { video_per_sec: '0.05' }),
  // LiteLLM's map of 2026-08-01 and Portkey's list of 2026-08-21: a search is a query with up to 100 documents.
  ...['rerank-v3.5', 'rerank-english-v3.0', 'rerank-multilingual-v3.0', 'rerank-v4.0-fast'].map((id) =>
    cohere('rerank', id, { rates: [rate('queries', '0.002')] }),
  ),
  cohere('rerank', 'rerank-v4.0-pro', { rates: [rate('queries', '0.0025')] }),
  bedrock('rerank', 'cohere.rerank-v3-5:0', { rates: [rate('queries', '0.002')] }),
  bedrock('rerank', 'amazon.rerank-v1:0', { rates: [rate('queries', '0.001')] }),
  // "Pricing", 2026-07-15, and both lists.
  voyage('rerank', 'rerank-2', { input_per_mtok: '0.05' }),
  voyage('rerank', 'rerank-2-lite', { input_per_mtok: '0.02' }),
  voyage('rerank', 'rerank-2.5', { input_per_mtok: '0.05' }),
  voyage('rerank', 'rerank-2.5-lite', { input_per_mtok: '0.02' }),
  // Both lists: recordings, which streams cost more than.
  deepgram('audio', 'nova-2', { audio_per_min: '0.0043', names: ['nova-2-general'] }),
  deepgram('audio', 'nova-3', { audio_per_min: '0.0043', names: ['nova-3-general'] }),
]
