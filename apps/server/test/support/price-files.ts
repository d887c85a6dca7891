import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { SourceName } from '../../src/ingest/sources/index.ts'

/** Published price files, which we may not distribute. Tests on them report that they are skipped without the files. */
export const priceDataDir = process.env.PRICE_DATA_DIR

export const skipTitle = (title: string) =>
  priceDataDir === undefined ? `${title} (skipped: PRICE_DATA_DIR is not set)` : title

export function priceFile(path: string): string {
  const bytes = readFileSync(join(priceDataDir ?? '', path))
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
}

/** The newest file of each source, and when it was published; the oldest first. */
export const newestFiles = [
  { source: 'models.dev', path: 'models.dev/api_equivalent_2026-07-02.json', at: '2026-07-02T12:00:00Z' },
  { source: 'litellm', path: 'litellm/model_prices_2026-08-01.json', at: '2026-08-01T00:59:59Z' },
  { source: 'openrouter', path: 'openrouter/models_2026-08-01.json', at: '2026-08-01T12:00:00Z' },
  {
    source: 'llm-prices',
    path: 'llm-prices/historical-v1_equivalent_2026-08-05.json',
    at: '2026-08-05T12:00:00Z',
  },
  { source: 'genai-prices', path: 'genai-prices/data_v2_2026-08-21.json', at: '2026-08-21T06:00:00Z' },
  { source: 'portkey', path: 'portkey/pricing_2026-08-21.tar.gz', at: '2026-08-21T12:00:00Z' },
] as const satisfies { source: SourceName; path: string; at: string }[]

/** The newest document of each seller that is here. */
export const newestDocuments = [
  { source: 'anthropic-page', path: 'official/anthropic/2026-08-11-pricing.md' },
  { source: 'anthropic-retirements', path: 'official/anthropic/2026-07-24-model-deprecations.md' },
  { source: 'openai-page', path: 'official/openai/2026-07-15-pricing.md' },
  { source: 'openai-retirements', path: 'official/openai/2026-07-15-deprecations.md' },
  { source: 'google-page', path: 'official/google/2026-05-08-gemini-api-pricing.md' },
  { source: 'google-retirements', path: 'official/google/2026-08-22-vertex-model-versions.md' },
  { source: 'deepseek-page', path: 'official/deepseek/2026-08-14-pricing.en.md' },
  { source: 'deepseek-page-cn', path: 'official/deepseek/2026-08-14-pricing.zh-cn.md' },
  { source: 'zai-page', path: 'official/zai/2026-08-18-pricing.html' },
  { source: 'moonshot-page', path: 'official/moonshot/2026-05-08-kimi-k2.6-pricing.md' },
  { source: 'xai-page', path: 'official/xai/2025-11-13-docs-models.html' },
  { source: 'mistral-docs', path: 'official/mistral/2026-07-15-docs-model-data.tar.gz' },
  { source: 'aws-price-list', path: 'official/aws/2026-07-23-AmazonBedrock.us-east-1.json' },
  {
    source: 'aws-price-list-models',
    path: 'official/aws/2026-07-28-AmazonBedrockFoundationModels.us-east-1.json',
  },
  { source: 'aws-price-list-service', path: 'official/aws/2026-07-29-AmazonBedrockService.us-east-1.json' },
  {
    source: 'azure-retail-prices',
    path: 'official/azure/2025-08-25-retail-prices.ai-models.ndjson.gz',
  },
  { source: 'venice', path: 'official/venice/2026-08-12-models.json' },
  { source: 'atlascloud', path: 'official/atlascloud/2026-08-22-models.json.gz' },
  { source: 'huggingface', path: 'official/huggingface/2026-08-router-models.json' },
  { source: 'ovhcloud', path: 'official/ovhcloud/2026-08-openrouter-form.json' },
] as const satisfies { source: SourceName; path: string }[]

/** All states of LiteLLM's file, 2025-02-06 to 2026-08-01, the oldest first. */
export function litellmStates(): { at: string; path: string }[] {
  const folders = ['litellm', 'litellm/daily', 'litellm/events']
  const paths = folders.flatMap((folder) =>
    readdirSync(join(priceDataDir ?? '', folder)).map((name) => `${folder}/${name}`),
  )
  return paths
    .flatMap((path) => {
      const [, day, hour = '00'] = /\.?_?(\d{4}-\d\d-\d\d)(?:T(\d\d))?\.json(?:\.gz)?$/.exec(path) ?? []
      return day === undefined ? [] : [{ at: `${day}T${hour}:59:59Z`, path }]
    })
    .sort((a, b) => (a.at < b.at ? -1 : 1))
}

/** What a source holds, as a run takes it: a text, or an unpacked archive. */
export function priceInput(path: string): { text: string } | { bytes: Uint8Array } {
  if (!path.endsWith('.tar.gz')) return { text: priceFile(path) }
  return { bytes: gunzipSync(readFileSync(join(priceDataDir ?? '', path))) }
}
