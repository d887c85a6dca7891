import { UsageError } from '../errors.ts'
import { isObject, type Fields } from '../readers/shape.ts'
import { one, parseAmount } from './amount.ts'
import { noteMoney, noteUnread, readNumber, toWhole } from './fields.ts'
import { nothing, type BillLine, type Draft } from './lines.ts'

// OpenAI's exports. Days are those of UTC (help.openai.com, "Understanding your API usage").
// Costs: developers.openai.com, "Costs" (GET /organization/costs): buckets of a day with `results[].amount.value`, by
// `line_item` and `project_id`; async-openai 0.43 `CostsResult` has `quantity_unit` and `user_id` besides. The dashboard's CSV
// has the same fields in columns (`amount_value`, `amount_currency`, `start_time_iso`), as exports that people have published
// show. How a line item is spelled is documented nowhere; the forms below are those of published exports: `MODEL, input`,
// `cached input`, `cache writes`, `output`, `, long context` behind it, `priority | ` before it, and `MODEL audio, input`.
// Usage: "Completions" (GET /organization/usage/completions), and the dashboard's CSV of the activity, with the same names.

const costFields = new Set([
  ...['object', 'amount', 'line_item', 'project_id', 'api_key_id', 'quantity', 'quantity_unit', 'user_id'],
  ...['api_source', 'amount_value', 'amount_currency', 'start_time', 'end_time', 'start_time_iso'],
  ...['end_time_iso', 'organization_id', 'organization_name', 'project_name', 'user_email'],
])

/** A result of the costs API, or a row of the CSV of costs. */
export function readOpenAiCost(draft: Draft, day: string, row: Fields): void {
  noteUnread(draft, row, costFields)
  const amount = isObject(row['amount']) ? row['amount'] : {}
  const value = row['amount_value'] ?? amount['value']
  // A day without costs is a row without an amount.
  if (value === undefined || value === null || value === '') return
  const text = noteMoney(draft, value, row['amount_currency'] ?? amount['currency'])
  const label = typeof row['line_item'] === 'string' ? row['line_item'] : ''
  const isTokens = /^tokens?$/i.test(String(row['quantity_unit']))
  const quantity = isTokens && row['quantity'] != null ? toWhole(readNumber(row, 'quantity')) : null
  draft.tiers.add('priority')
  draft.length = true
  const line = { ...nothing, day, label, amount: parseAmount(text), quantity, ...lineItem(label) }
  if (line.tier !== null) draft.tiers.add(line.tier)
  draft.lines.push(line)
}

const kinds: Readonly<Record<string, string>> = {
  input: 'input',
  'cached input': 'cached_input',
  'cache writes': 'cache_write',
  output: 'output',
}

function lineItem(label: string): Partial<BillLine> {
  if (label === '') return {}
  if (/^web search tool calls$/i.test(label)) return { meter: 'searches' }
  const match =
    /^(?:(priority|flex|batch) \| )?(\S+?)(?: (text|audio|image))?, (cached input|cache writes|input|output)(, long context)?$/.exec(
      label,
    )
  if (match === null) return { isUnknown: true }
  const [, tier = null, model = '', medium = 'text', kind = '', long] = match
  const meter = `${kinds[kind]}${medium === 'text' ? '' : `_${medium}`}_tokens`
  return { model, meter, tier, isLong: long !== undefined }
}

const usageFields = new Set([
  ...['object', 'model', 'batch', 'service_tier', 'project_id', 'user_id', 'api_key_id', 'api_source'],
  ...['num_model_requests', 'input_tokens', 'output_tokens', 'input_cached_tokens', 'input_uncached_tokens'],
  ...['input_text_tokens', 'output_text_tokens', 'input_cached_text_tokens', 'input_audio_tokens'],
  ...['input_cached_audio_tokens', 'output_audio_tokens', 'input_image_tokens', 'input_cached_image_tokens'],
  ...['output_image_tokens', 'input_cache_write_tokens'],
  ...['start_time', 'end_time', 'start_time_iso', 'end_time_iso', 'user_email', 'project_name'],
])

/** A result of the usage API of completions, or a row of its CSV. */
export function readOpenAiUsage(draft: Draft, day: string, row: Fields): void {
  noteUnread(draft, row, usageFields)
  // A day without use is a row without numbers.
  if (row['input_tokens'] == null || row['input_tokens'] === '') return
  const model = typeof row['model'] === 'string' && row['model'] !== '' ? row['model'] : null
  if (model === null)
    throw new UsageError('The usage says no model. Ask for it by model: group_by=model,batch,service_tier.')
  const n = (name: string) => readNumber(row, name)
  const isBatch = /^true$/i.test(String(row['batch']))
  const named = typeof row['service_tier'] === 'string' ? row['service_tier'] : ''
  const tier = isBatch ? 'batch' : /^(?:flex|priority|scale)$/.test(named) ? named : null
  if (row['batch'] != null) draft.tiers.add('batch')
  if (row['service_tier'] != null) for (const each of ['flex', 'priority', 'scale']) draft.tiers.add(each)
  const [heard, seen] = [n('input_audio_tokens'), n('input_image_tokens')]
  const [spoken, drawn] = [n('output_audio_tokens'), n('output_image_tokens')]
  const [cachedAudio, cachedImages] = [n('input_cached_audio_tokens'), n('input_cached_image_tokens')]
  const written = n('input_cache_write_tokens')
  const counts: Readonly<Record<string, number>> = {
    input_tokens:
      n('input_tokens') - n('input_cached_tokens') - written - heard - seen + cachedAudio + cachedImages,
    cached_input_tokens: n('input_cached_tokens') - cachedAudio - cachedImages,
    cache_write_tokens: written,
    input_audio_tokens: heard - cachedAudio,
    cached_input_audio_tokens: cachedAudio,
    input_image_tokens: seen - cachedImages,
    cached_input_image_tokens: cachedImages,
    output_tokens: n('output_tokens') - spoken - drawn,
    output_audio_tokens: spoken,
    output_image_tokens: drawn,
  }
  for (const [meter, count] of Object.entries(counts)) {
    if (count < 0) throw new UsageError(`The parts of ${day}, ${model}, are more than its tokens.`)
    const line = {
      ...nothing,
      day,
      model,
      meter,
      tier,
      amount: toWhole(count) * one,
      label: `${model}, ${meter}`,
    }
    if (count > 0) draft.lines.push(line)
  }
  const key = `${day} ${model}`
  draft.requests.set(key, (draft.requests.get(key) ?? 0) + n('num_model_requests'))
}
