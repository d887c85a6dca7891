import { z } from 'zod'
import { amountReader } from '../../../catalog/decimal.ts'
import { UserError } from '../../../platform/user-error.ts'
import { identify, findSeller } from '../../match/identify.ts'
import type { SourceReading, SourceRecord } from '../../source-record.ts'
import { amountsIn, chooseColumns, chooseUnit } from './litellm-columns.ts'
import { litellmFields } from './known-fields.ts'
import { readRates } from './litellm-rates.ts'
import { toModality, Row, listTiers } from './litellm-row.ts'
import { litellmFacts } from '../reading/model-facts.ts'
import { complaints, toReading, type Candidate } from '../reading/reading.ts'
import { findUnknownFields } from '../reading/unknown-fields.ts'

/**
 * LiteLLM's model_prices_and_context_window.json: one object, keyed by model, in USD per single unit.
 * https://github.com/BerriAI/litellm (MIT)
 */
export function readLitellm(json: unknown): SourceReading {
  const entries = Object.entries(modelMap(json))
  const reading = toReading(entries.map(([key, value]) => ({ id: key, ...readRow(key, value) })))
  if (reading.records.length === 0)
    throw new UserError(`This is not a LiteLLM price file: none of its entries is a model.`)
  // The file dates no price, so that the age of its data is what its server says of it.
  const rows = entries.filter(([key]) => !notModels.has(key))
  return { ...reading, unknown_fields: findUnknownFields(rows, litellmFields) }
}

/** One entry of such a file; null: it is no price. */
export function readLitellmRow(key: string, value: unknown): SourceRecord | null {
  return toReading([{ id: key, ...readRow(key, value) }]).records[0] ?? null
}

/** The documentation entry and the routing rules, which the file keeps among its models. */
const notModels = new Set(['sample_spec', 'fallback_generalizations'])

function modelMap(json: unknown): Record<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new UserError('This is not a LiteLLM price file: its top level is not an object keyed by model.')
  }
  return json as Record<string, unknown>
}

function readRow(key: string, value: unknown): Candidate | { reason: string } {
  if (notModels.has(key)) return { reason: 'is not a model: an entry of the file about itself' }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { reason: 'is not a model: not an object' } // mirrors add a `last_updated` string
  }
  if (!('litellm_provider' in value)) {
    // What was read of it before stays: a row that cannot be read is not gone.
    const priced = Object.keys(value).find((field) => /cost/.test(field))
    return {
      reason: priced ? `has ${priced} but no litellm_provider` : 'is not a model: no litellm_provider',
    }
  }
  if (/\/\d+-month-commitment\//.test(key)) return { reason: 'is rented throughput, not a price of use' }
  if (key.includes('*')) return { reason: 'is a pattern, not one model' }
  if (key === '' || key.endsWith('/')) return { reason: 'names no model' }

  const row = Row.safeParse(value)
  if (!row.success) return { reason: `cannot be read: ${complaints(row.error)}` }
  const { read, problems } = amountReader()
  const lowest = { ...row.data, ...listTiers(row.data)[0] }
  const columns = chooseColumns(lowest)
  const amounts = amountsIn(lowest, columns, read)
  const rates = readRates(row.data, columns, amounts, read)
  if (problems.length > 0) return { reason: `has no usable price: ${problems.join('; ')}` }

  const provider = row.data.litellm_provider
  const seller = findSeller(provider)
  const id = withoutPrefix(key, seller.platform)
  return {
    id: key,
    identity: identify(seller, id),
    price: {
      modality: toModality(lowest.mode),
      unit: chooseUnit(lowest, amounts),
      ...amounts,
      currency: 'USD',
      source_url: row.data.source ?? null,
      // The file dates no price; its deprecation_date is the model's, entered a month late in the median.
      effective_at: null,
    },
    rates,
    facts: litellmFacts(value),
    retires_on: z.iso.date().safeParse(row.data.deprecation_date).data ?? null,
    // `azure/gpt-5.5` before `azure_ai/gpt-5.5`, and `deepseek/deepseek-chat` before `deepseek-chat`.
    rank: (provider === seller.platform ? 0 : 2) + (id === key ? 1 : 0),
  }
}

/** litellm routes by a prefix that is not part of the platform's own id: `groq/`, `vertex_ai/`. */
function withoutPrefix(key: string, platform: string): string {
  const slash = key.indexOf('/')
  return slash > 0 && findSeller(key.slice(0, slash)).platform === platform ? key.slice(slash + 1) : key
}
