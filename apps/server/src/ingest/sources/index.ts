import { UserError } from '../../platform/user-error.ts'
import { lookUp } from '../match/identify.ts'
import type { SourceReading } from '../source-record.ts'
import { addresses, type SourceAddress } from './addresses.ts'
import { readAwsPriceList, type OfferCode } from './clouds/aws.ts'
import { readAzureRetailPrices } from './clouds/azure.ts'
import { readGoogleBillingCatalog } from './clouds/google.ts'
import { readGenaiPrices, readGenaiPricesPackage } from './lists/genai-prices.ts'
import { hostLists } from './hosts/index.ts'
import { readHostList, type HostList } from './hosts/host-list.ts'
import { readMistralDocs } from './hosts/mistral.ts'
import { readOpenRouterEndpoints } from './hosts/openrouter-endpoints.ts'
import { readLitellm } from './lists/litellm.ts'
import { readLlmPrices } from './lists/llm-prices.ts'
import { readModelsDev } from './lists/models-dev.ts'
import { pieces, readOwnCsv } from './lists/own-csv.ts'
import { readOwnJson } from './lists/own-json.ts'
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
import { findPortkeyDay, readPortkeyFile, readPortkey } from './lists/portkey.ts'
import { parseJsonFile } from './reading/parse-json.ts'

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

interface Reader<Reading = SourceReading> extends Pick<Source, 'description' | 'every' | 'bytesMax'> {
  bundled?: true
  read: (input: SourceInput, name: string) => Reading
}

function ofText<Reading = SourceReading>(
  description: string,
  read: (text: string, now: Date) => Reading,
  more: Pick<Source, 'every' | 'bytesMax'> = {},
): Reader<Reading> {
  return { description, ...more, read: ({ text, now }, name) => read(needed(text, name), now) }
}

function ofJson(description: string, read: (json: unknown, now: Date) => SourceReading): Reader {
  return ofText(description, (text, now) => read(parseJsonFile(text), now))
}

function ofRetirements(seller: string, form: Parameters<typeof readRetirements>[1]): Reader {
  return ofText(`Until when ${seller} sells its models, by its own page`, (text, now) =>
    readRetirements(text, form, now),
  )
}

/** Of all regions the largest offer has 20 MB; a price list of one's own has 250 bytes a row. */
const large = { bytesMax: 50_000_000 }

function ofAws(code: OfferCode): Reader {
  return ofText(
    `Bedrock's offer ${code} in the AWS Price List`,
    (text, now) => readAwsPriceList(text, code, now),
    large,
  )
}

const lists = {
  'genai-prices': {
    description: 'Pydantic genai-prices: the installed npm package, or a v2 data.json',
    bundled: true,
    read: ({ text, now }: SourceInput) =>
      text === undefined ? readGenaiPricesPackage(now) : readGenaiPrices(parseJsonFile(text), now),
  },
  litellm: ofJson('LiteLLM model_prices_and_context_window.json', readLitellm),
  'llm-prices': ofJson("llm-prices' historical-v1.json", readLlmPrices),
  'models.dev': ofJson("models.dev's api.json", readModelsDev),
  portkey: {
    description:
      "Portkey's pricing files: the repository as .tar.gz, one provider's file, or all in one object by provider",
    read: ({ text, bytes, name, now }: SourceInput) => {
      const content = bytes ? { bytes } : { json: parseJsonFile(needed(text, 'portkey')) }
      const file = readPortkeyFile({ ...content, ...(name !== undefined && { name }) })
      const reading = readPortkey(file)
      return bytes ? { ...reading, data_at: findPortkeyDay(bytes, now) } : reading
    },
  },
} satisfies Record<string, Reader<unknown>>

const pages = {
  'anthropic-page': ofText("Anthropic's own price page, as markdown", readAnthropicPage),
  'deepseek-page': ofText("DeepSeek's own price page, in USD", (text, now) =>
    readDeepseekPage(text, 'en', now),
  ),
  'deepseek-page-cn': ofText("DeepSeek's own Chinese price page, in CNY", (text, now) =>
    readDeepseekPage(text, 'cn', now),
  ),
  'google-page': ofText("Google's own price page of the Gemini API, as markdown", readGooglePage),
  'moonshot-page': ofText("Moonshot's own price page, in USD: the source of one or several pages", (text) =>
    readMoonshotPage(text, moonshotEditions.en),
  ),
  'moonshot-page-cn': ofText("Moonshot's own Chinese price page, in CNY", (text) =>
    readMoonshotPage(text, moonshotEditions.cn),
  ),
  'openai-page': ofText("OpenAI's own price page", readOpenaiPage),
  'voyage-page': ofText("Voyage AI's own price page, as markdown", readVoyagePage),
  'xai-page': ofText("xAI's own price page", readXaiPage),
  'zai-page': ofText("Z.ai's own price page, in USD", readZaiPage),
  'anthropic-retirements': ofRetirements('Anthropic', anthropicRetirements),
  'google-retirements': ofRetirements('Google Cloud', googleRetirements),
  'openai-retirements': ofRetirements('OpenAI', openaiRetirements),
  'venice-retirements': ofRetirements('Venice', veniceRetirements),
} satisfies Record<string, Reader<unknown>>

const hosts = {
  ...(Object.fromEntries(
    Object.entries(hostLists).map(([name, list]: [string, HostList]) => [
      name,
      ofJson(`The seller's own list: ${list.title}`, (json, now) => readHostList(list, json, now)),
    ]),
  ) as Record<keyof typeof hostLists, Reader>),
  'mistral-docs': {
    description: "Mistral's own model data: its documentation's repository, or src/schema/models, as .tar.gz",
    read: ({ bytes, now }: SourceInput) => {
      if (bytes === undefined)
        throw new UserError('The source mistral-docs needs a .tar.gz: name its path or URL.')
      return readMistralDocs(bytes, now)
    },
  },
  'openrouter-endpoints': ofJson(
    "The answers of OpenRouter's /api/v1/models/{author}/{slug}/endpoints: tiers, in one list",
    readOpenRouterEndpoints,
  ),
} satisfies Record<string, Reader<unknown>>

const clouds = {
  'aws-price-list': ofAws('AmazonBedrock'),
  'aws-price-list-models': ofAws('AmazonBedrockFoundationModels'),
  'aws-price-list-service': ofAws('AmazonBedrockService'),
  'azure-retail-prices': ofText(
    "Azure's retail prices: the answers of all pages, or their items, one per line",
    readAzureRetailPrices,
    { every: '24h', ...large },
  ),
  'google-billing-catalog': ofText(
    "SKUs of Vertex AI in Google's Cloud Billing Catalog",
    readGoogleBillingCatalog,
    { every: '24h' },
  ),
} satisfies Record<string, Reader<unknown>>

const own = {
  'own-csv': ofText("The operator's own prices, as CSV", (text, now) => readOwnCsv(pieces(text), now), large),
  'own-json': ofText("The operator's own prices, as JSON, rates included", readOwnJson),
} satisfies Record<string, Reader<unknown>>

const readers = { ...lists, ...hosts, ...pages, ...clouds, ...own }

export type SourceName = keyof typeof readers

/** Every price source by the name that an operator types. */
export const sources = Object.fromEntries(
  Object.entries<Reader<unknown>>(readers).map(([name, reader]) => [
    name,
    {
      ...{ name, bundled: false },
      ...lookUp<SourceAddress>(addresses, name),
      ...reader,
      read: (input: SourceInput) => reader.read(input, name),
    },
  ]),
) as { [Name in SourceName]: SourceOf<ReturnType<(typeof readers)[Name]['read']>> }

/** A source of which it is known whether it reads at once. */
interface SourceOf<Reading> extends Omit<Source, 'read'> {
  read: (input: SourceInput) => Reading
}

function needed(text: string | undefined, source: string): string {
  if (text === undefined) throw new UserError(`The source ${source} needs a file: name its path or URL.`)
  return text
}
