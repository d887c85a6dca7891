import { inSourceUnit } from '../catalog/decimal.ts'
import { rateKey, type Rate } from '../catalog/rate-card.ts'
import { isPriceField, parseField } from '../ingest/sources/lists/litellm-fields.ts'

// The inverse of sources/litellm-fields.ts: a rate becomes a field. What a field means is asked of the reader, so that
// nothing is written that is read otherwise.

/** A price field of LiteLLM's row, with its value. */
export type LitellmField = readonly [field: string, value: number]

/** The field that states the rate, in LiteLLM's unit; null: the format has none. */
export function findField(rate: Rate): LitellmField | null {
  if (rate.hours !== null) return null
  const ending = chooseEnding(rate)
  if (ending === null) return null
  for (const stem of listStems(rate)) {
    const field = stem + ending
    if (!isPriceField(field)) continue
    const { scale, ...meaning } = parseField(field)
    if (rateKey({ ...meaning, amount: '' }) === rateKey(rate))
      return [field, inSourceUnit(rate.amount, scale)]
  }
  return null
}

/** The conditions of a rate, as endings of a name. */
function chooseEnding({ service_tier, variant, threshold }: Rate): string | null {
  if (threshold !== null && threshold % 1_000 !== 0) return null
  const [, cacheHours] = /^(\d+)h$/.exec(variant ?? '') ?? []
  return [
    variant === null
      ? ''
      : cacheHours !== undefined
        ? `_above_${cacheHours}hr`
        : /^above_\d+s$/.test(variant)
          ? `_${variant}_interval`
          : `_${variant}`,
    threshold === null ? '' : `_above_${threshold / 1_000}k_tokens`,
    service_tier === null ? '' : service_tier === 'batch' ? '_batches' : `_${service_tier}`,
  ].join('')
}

/** The nouns of LiteLLM's names, by our units. */
const nouns: Readonly<Record<string, string>> = {
  '1m_tokens': 'token',
  '1m_characters': 'character',
  '1m_pixels': 'pixel',
  gb_day: 'gb_per_day',
}
const plurals: Readonly<Record<string, string>> = { query: 'queries', gb_per_day: 'gb_days' }
/** LiteLLM's usual names count these by the thousand. */
const byThousand = /^(?:file_search_calls|computer_use_\w+_tokens)$/

/** Names that may mean the meter, the usual one first. */
function* listStems({ meter, unit }: Rate): Generator<string> {
  const [, use, cached = ''] = /^(cached_input|cache_write)_(.+_)?tokens$/.exec(meter) ?? []
  if (use !== undefined)
    yield `cache_${use === 'cache_write' ? 'creation' : 'read'}_input_${cached}token_cost`
  const [, dbus] = /^(.+_dbu)s$/.exec(meter) ?? []
  if (dbus !== undefined) yield `${dbus}_cost_per_token`

  const noun = Object.hasOwn(nouns, unit) ? nouns[unit]! : unit
  const plural = plurals[noun] ?? `${noun}s`
  const words = meter === plural ? [] : meter.endsWith(`_${plural}`) ? wordsBefore(meter, plural) : null
  if (words !== null) {
    const [head = 'input', ...kind] = words
    const isSide = head === 'input' || head === 'output'
    if (byThousand.test(meter)) yield `${words.join('_')}_cost_per_1k_${plural}`
    if (head === 'reasoning') yield `output_cost_per_reasoning_${noun}`
    if (isSide && kind.length > 0) yield `${head}_cost_per_${kind.join('_')}${between(noun)}${noun}`
    yield `${words.length === 0 ? head : words.join('_')}_cost_per_${noun}`
  }
  // As LiteLLM wrote it, where its name was not understood.
  const [, side, rest] = /^([a-z]+)_(.+)$/.exec(meter) ?? []
  if (side !== undefined && rest === unit) yield `${side}_cost_per_${unit}`
  yield meter
}

function wordsBefore(meter: string, plural: string): string[] {
  return meter.slice(0, -plural.length - 1).split('_')
}

/** `video_per_second`, but `audio_token`. */
function between(noun: string): string {
  return noun === 'second' || noun === 'minute' ? '_per_' : '_'
}
