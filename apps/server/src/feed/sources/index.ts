import { UserError } from '../../platform/user-error.ts'
import type { SourceReading } from '../source-record.ts'
import { addresses } from './addresses.ts'
import { readAwsPriceList, type OfferCode } from './clouds/aws.ts'
import { readAzureRetailPrices } from './clouds/azure.ts'
import { readGoogleBillingCatalog } from './clouds/google.ts'
import { readGenaiPrices, readGenaiPricesPackage } from './genai-prices.ts'
import { hostLists } from './hosts/index.ts'
import { readHostList, type HostList } from './hosts/host-list.ts'
import { readMistralDocs } from './hosts/mistral.ts'
import { readOpenRouterEndpoints } from './hosts/openrouter-endpoints.ts'
import { readLitellm } from './litellm.ts'
import { readLlmPrices } from './llm-prices.ts'
import { readModelsDev } from './models-dev.ts'
import { readOpenRouter } from './openrouter.ts'
import { pieces, readOwnCsv } from './own-csv.ts'
import { readOwnJson } from './own-json.ts'
import { readAnthropicPage } from './pages/anthropic-page.ts'
import { readDeepseekPage } from './pages/deepseek-page.ts'
import { readGooglePage } from './pages/google-page.ts'
import { moonshotEditions, readMoonshotPage } from './pages/moonshot-page.ts'
import { readOpenaiPage } from './pages/openai-page.ts'
import {
  anthropicRetirements,
  googleRetirements,
  openaiRetirements,
  readRetirements,
  veniceRetirements,
} from './pages/retirements.ts'
import { readVoyagePage } from './pages/voyage-page.ts'
import { readXaiPage } from './pages/xai-page.ts'
import { readZaiPage } from './pages/zai-page.ts'
import { findPortkeyDay, readPortkeyFile, readPortkey } from './portkey.ts'
import { parseJsonFile } from './parse-json.ts'

export interface SourceInput {
  /** The content of the file or URL. Without it a source reads the data in the installation, if there is any. */
  text?: string
  /** Its content when it is an archive. */
  bytes?: Uint8Array
  /** The file's name, without folders. */
  name?: string
  /** When it was changed last, by the server that it comes from (`Last-Modified`). */
  lastModified?: string | null
  now: Date
}

export interface Source {
  name: string
  description: string
  /** Where it is published; none: the operator's own data. */
  url?: string
  /** How often it is worth reading, as `parseDuration` reads it. */
  every?: string
  /** Whether the source can be read without a file. */
  bundled: boolean
  /** Largest file, unpacked, where it differs from the usual one. */
  bytesMax?: number
  read: (input: SourceInput) => SourceReading | Promise<SourceReading>
}

/** A seller's own list as a source. */
function toSource(name: keyof typeof hostLists): Source {
  const list: HostList = hostLists[name]
  return {
    ...{ name, ...addresses[name], bundled: false },
    description: `The seller's own list: ${list.title}`,
    read: ({ text, now }) => readHostList(list, parseJsonFile(needed(text, name)), now),
  }
}

/** Every price source by the name that an operator types. */
export const sources = {
  'anthropic-page': {
    name: 'anthropic-page',
    ...addresses['anthropic-page'],
    description: "Anthropic's own price page, as markdown",
    bundled: false,
    read: ({ text, now }) => readAnthropicPage(needed(text, 'anthropic-page'), now),
  },
  'deepseek-page': {
    name: 'deepseek-page',
    ...addresses['deepseek-page'],
    description: "DeepSeek's own price page, in USD",
    bundled: false,
    read: ({ text, now }) => readDeepseekPage(needed(text, 'deepseek-page'), 'en', now),
  },
  'deepseek-page-cn': {
    name: 'deepseek-page-cn',
    ...addresses['deepseek-page-cn'],
    description: "DeepSeek's own Chinese price page, in CNY",
    bundled: false,
    read: ({ text, now }) => readDeepseekPage(needed(text, 'deepseek-page-cn'), 'cn', now),
  },
  'anthropic-retirements': {
    name: 'anthropic-retirements',
    ...addresses['anthropic-retirements'],
    description: 'Until when Anthropic sells its models, by its own page',
    bundled: false,
    read: ({ text, now }) =>
      readRetirements(needed(text, 'anthropic-retirements'), anthropicRetirements, now),
  },
  'genai-prices': {
    name: 'genai-prices',
    ...addresses['genai-prices'],
    description: 'Pydantic genai-prices: the installed npm package, or a v2 data.json',
    bundled: true,
    read: ({ text, now }) =>
      text === undefined ? readGenaiPricesPackage(now) : readGenaiPrices(parseJsonFile(text), now),
  },
  'google-page': {
    name: 'google-page',
    ...addresses['google-page'],
    description: "Google's own price page of the Gemini API, as markdown",
    bundled: false,
    read: ({ text }) => readGooglePage(needed(text, 'google-page')),
  },
  'google-retirements': {
    name: 'google-retirements',
    ...addresses['google-retirements'],
    description: 'Until when Google Cloud sells its own models, by its own page',
    bundled: false,
    read: ({ text, now }) => readRetirements(needed(text, 'google-retirements'), googleRetirements, now),
  },
  litellm: {
    name: 'litellm',
    ...addresses.litellm,
    description: 'LiteLLM model_prices_and_context_window.json',
    bundled: false,
    read: ({ text }) => readLitellm(parseJsonFile(needed(text, 'litellm'))),
  },
  'llm-prices': {
    name: 'llm-prices',
    ...addresses['llm-prices'],
    description: "llm-prices' historical-v1.json",
    bundled: false,
    read: ({ text, now }) => readLlmPrices(parseJsonFile(needed(text, 'llm-prices')), now),
  },
  'models.dev': {
    name: 'models.dev',
    ...addresses['models.dev'],
    description: "models.dev's api.json",
    bundled: false,
    read: ({ text, now }) => readModelsDev(parseJsonFile(needed(text, 'models.dev')), now),
  },
  'moonshot-page': {
    name: 'moonshot-page',
    ...addresses['moonshot-page'],
    description: "Moonshot's own price page, in USD: the source of one or several pages",
    bundled: false,
    read: ({ text }) => readMoonshotPage(needed(text, 'moonshot-page'), moonshotEditions.en),
  },
  'moonshot-page-cn': {
    name: 'moonshot-page-cn',
    ...addresses['moonshot-page-cn'],
    description: "Moonshot's own Chinese price page, in CNY",
    bundled: false,
    read: ({ text }) => readMoonshotPage(needed(text, 'moonshot-page-cn'), moonshotEditions.cn),
  },
  'openai-page': {
    name: 'openai-page',
    ...addresses['openai-page'],
    description: "OpenAI's own price page",
    bundled: false,
    read: ({ text }) => readOpenaiPage(needed(text, 'openai-page')),
  },
  'openai-retirements': {
    name: 'openai-retirements',
    ...addresses['openai-retirements'],
    description: 'Until when OpenAI sells its models, by its own page',
    bundled: false,
    read: ({ text, now }) => readRetirements(needed(text, 'openai-retirements'), openaiRetirements, now),
  },
  openrouter: {
    name: 'openrouter',
    ...addresses.openrouter,
    description: "The answer of OpenRouter's /api/v1/models",
    bundled: false,
    read: ({ text, now }) => readOpenRouter(parseJsonFile(needed(text, 'openrouter')), now),
  },
  portkey: {
    name: 'portkey',
    ...addresses.portkey,
    description:
      "Portkey's pricing files: the repository as .tar.gz, one provider's file, or all in one object by provider",
    bundled: false,
    read: ({ text, bytes, name, now }) => {
      const content = bytes ? { bytes } : { json: parseJsonFile(needed(text, 'portkey')) }
      const file = readPortkeyFile({ ...content, ...(name !== undefined && { name }) })
      const reading = readPortkey(file)
      return bytes ? { ...reading, data_at: findPortkeyDay(bytes, now) } : reading
    },
  },
  ...(Object.fromEntries(
    (Object.keys(hostLists) as (keyof typeof hostLists)[]).map((name) => [name, toSource(name)]),
  ) as Record<keyof typeof hostLists, Source>),
  'mistral-docs': {
    name: 'mistral-docs',
    description: "Mistral's own model data: its documentation's repository, or src/schema/models, as .tar.gz",
    bundled: false,
    read: ({ bytes, now }) => {
      if (bytes === undefined)
        throw new UserError('The source mistral-docs needs a .tar.gz: name its path or URL.')
      return readMistralDocs(bytes, now)
    },
  },
  'openrouter-endpoints': {
    name: 'openrouter-endpoints',
    description: "The answers of OpenRouter's /api/v1/models/{author}/{slug}/endpoints: tiers, in one list",
    bundled: false,
    read: ({ text, now }) =>
      readOpenRouterEndpoints(parseJsonFile(needed(text, 'openrouter-endpoints')), now),
  },
  'venice-retirements': {
    name: 'venice-retirements',
    ...addresses['venice-retirements'],
    description: 'Until when Venice sells its models, by its own page',
    bundled: false,
    read: ({ text, now }) => readRetirements(needed(text, 'venice-retirements'), veniceRetirements, now),
  },
  'voyage-page': {
    name: 'voyage-page',
    ...addresses['voyage-page'],
    description: "Voyage AI's own price page, as markdown",
    bundled: false,
    read: ({ text }) => readVoyagePage(needed(text, 'voyage-page')),
  },
  'xai-page': {
    name: 'xai-page',
    ...addresses['xai-page'],
    description: "xAI's own price page",
    bundled: false,
    read: ({ text }) => readXaiPage(needed(text, 'xai-page')),
  },
  'zai-page': {
    name: 'zai-page',
    ...addresses['zai-page'],
    description: "Z.ai's own price page, in USD",
    bundled: false,
    read: ({ text }) => readZaiPage(needed(text, 'zai-page')),
  },
  'own-csv': {
    name: 'own-csv',
    description: "The operator's own prices, as CSV",
    bundled: false,
    // The maximum number of rows, with some 250 bytes each.
    bytesMax: 50_000_000,
    read: ({ text, now }) => readOwnCsv(pieces(needed(text, 'own-csv')), now),
  },
  'own-json': {
    name: 'own-json',
    description: "The operator's own prices, as JSON, rates included",
    bundled: false,
    read: ({ text, now }) => readOwnJson(needed(text, 'own-json'), now),
  },
  'aws-price-list': awsOffer('aws-price-list', 'AmazonBedrock'),
  'aws-price-list-models': awsOffer('aws-price-list-models', 'AmazonBedrockFoundationModels'),
  'aws-price-list-service': awsOffer('aws-price-list-service', 'AmazonBedrockService'),
  'azure-retail-prices': {
    name: 'azure-retail-prices',
    description: "Azure's retail prices: the answers of all pages, or their items, one per line",
    every: '24h',
    bundled: false,
    bytesMax: 50_000_000,
    read: ({ text, now }) => readAzureRetailPrices(needed(text, 'azure-retail-prices'), now),
  },
  'google-billing-catalog': {
    name: 'google-billing-catalog',
    description: "SKUs of Vertex AI in Google's Cloud Billing Catalog",
    every: '24h',
    bundled: false,
    read: ({ text, now }) => readGoogleBillingCatalog(needed(text, 'google-billing-catalog'), now),
  },
} satisfies Record<string, Source>

export type SourceName = keyof typeof sources

function awsOffer<Name extends `aws-${string}` & keyof typeof addresses>(
  name: Name,
  code: OfferCode,
): Source & { name: Name } {
  return {
    name,
    ...addresses[name],
    description: `Bedrock's offer ${code} in the AWS Price List`,
    bundled: false,
    // Of all regions the largest has 20 MB.
    bytesMax: 50_000_000,
    read: ({ text, now }) => readAwsPriceList(needed(text, name), code, now),
  }
}

function needed(text: string | undefined, source: string): string {
  if (text === undefined) throw new UserError(`The source ${source} needs a file: name its path or URL.`)
  return text
}
