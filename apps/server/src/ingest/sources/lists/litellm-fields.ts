import {
  asStated,
  perOneToPerMillion,
  perThousandToPerMillion,
  perThousandToPerOne,
  type Scale,
} from '../../../catalog/decimal.ts'
import type { Rate } from '../../../catalog/rate-card.ts'

/** The meaning of one of LiteLLM's price fields, without its amount. */
export interface FieldMeaning extends Omit<Rate, 'amount'> {
  scale: Scale
}

/** Whether a field states a price: the names of all price fields contain the word. */
export function isPriceField(field: string): boolean {
  return /^[a-z0-9_]+$/.test(field) && /(?:^|_)cost(?:_|$)/.test(field)
}

/**
 * Reads the name of a price field. Names are composed, not listed: what is counted, `cost`, the unit, and then any
 * number of conditions (`input_cost_per_token_above_272k_tokens_priority`). New combinations come every few weeks, so
 * a name is parsed in parts. An unknown part stays in the rate as it is written.
 */
export function parseField(field: string): FieldMeaning {
  const { stem, ...endings } = withoutEndings(field)
  const { rest, ...counted } = countedBy(stem)
  const variants = [rest, endings.variant].filter((variant) => variant != null)
  return {
    hours: null,
    ...endings,
    ...counted,
    variant: variants.length > 0 ? variants.join('/') : null,
  }
}

/** Whether every part of the name is understood. What is not stays in the rate card, as it is written. */
export function isUnderstood(field: string): boolean {
  const { unit, rest } = countedBy(withoutEndings(field).stem)
  return units.has(unit) && (rest === undefined || imageSizes.test(rest))
}

/** Amazon Titan's images by size and quality: a variant as it is written. */
const imageSizes = /^above_\d+_and_\d+_pixels(?:_and_premium_image)?$/

interface Endings {
  service_tier: string | null
  threshold: number | null
  variant: string | null
}

const endings: readonly { pattern: RegExp; says: (found: string) => Partial<Endings> }[] = [
  { pattern: /_batches$/, says: () => ({ service_tier: 'batch' }) },
  { pattern: /_(flex|priority)$/, says: (tier) => ({ service_tier: tier }) },
  { pattern: /_above_(\d+)k_tokens$/, says: (thousands) => ({ threshold: Number(thousands) * 1_000 }) },
  // A cache that lives for more than the usual five minutes.
  { pattern: /_above_(\d+)hr$/, says: (hours) => ({ variant: `${hours}h` }) },
  { pattern: /_(above_\d+s)_interval$/, says: (interval) => ({ variant: interval }) },
  { pattern: /_(\d+p)$/, says: (resolution) => ({ variant: resolution }) },
]

function withoutEndings(field: string): Endings & { stem: string } {
  for (const { pattern, says } of endings) {
    const match = pattern.exec(field)
    if (match) return { ...withoutEndings(field.slice(0, match.index)), ...says(match[1] ?? '') }
  }
  return { stem: field, service_tier: null, threshold: null, variant: null }
}

interface Counted {
  meter: string
  unit: string
  scale: Scale
  /** The rest of the name, which is not understood. */
  rest?: string | undefined
}

const cache = /^cache_(read|creation)_(?:input_)?(?:([a-z]+)_)?token_cost(?:_(.+))?$/
/** `[1k_][audio_]token[s][_rest]`, `video_per_second`: the kind is matched greedily, `image_token` is no image. */
const measured =
  /^(1k_)?(?:([a-z_]+)_)?(token|character|pixel|image|second|minute|query|page|credit|request|session|call|gb_per_day)s?(?:_(.+))?$/

const units = new Set(
  '1m_tokens,1m_characters,1m_pixels,image,second,minute,query,page,credit,request,session,call,gb_day'.split(
    ',',
  ),
)
const millions = new Set(['token', 'character', 'pixel'])

function countedBy(stem: string): Counted {
  if (stem === 'cache_read_input_token_cost_per_audio_token') return tokens('cached_input_audio_tokens')
  const [, use, cachedKind, cacheRest] = cache.exec(stem) ?? []
  if (use !== undefined) {
    const meter = [use === 'read' ? 'cached_input' : 'cache_write', cachedKind, 'tokens']
    return { ...tokens(joined(meter)), rest: cacheRest }
  }
  if (stem === 'input_cost_per_token_cache_hit') return tokens('cached_input_tokens')

  const [, head = '', per = ''] = /^(?:(.*)_)?cost_per_(.+)$/.exec(stem) ?? []
  const [, thousand, kindAndPer, noun, rest] = measured.exec(per) ?? []
  if (noun === undefined) return { meter: joined([head, per]) || stem, unit: per || 'unit', scale: asStated }

  // Databricks bills in units of its own: the amount counts those, not dollars.
  if (head.endsWith('_dbu')) return { ...tokens(`${head}s`), rest }
  const kind = kindAndPer?.replace(/_?per$/, '')
  const isMillion = millions.has(noun)
  return {
    meter: nameMeter(head, kind, noun),
    unit: isMillion ? `1m_${noun}s` : noun === 'gb_per_day' ? 'gb_day' : noun,
    scale: isMillion
      ? thousand === undefined
        ? perOneToPerMillion
        : perThousandToPerMillion
      : thousand === undefined
        ? asStated
        : perThousandToPerOne,
    rest,
  }
}

function tokens(meter: string): Counted {
  return { meter, unit: '1m_tokens', scale: perOneToPerMillion }
}

/** These have no side: a search is neither input nor output. */
const sideless = new Set(['query', 'page', 'credit', 'request', 'session'])

function nameMeter(head: string, kind: string | undefined, noun: string): string {
  if (head === 'search_context') return 'searches'
  // Other lists, and answers, count the pages that were annotated.
  const told = head === 'annotation' ? 'annotated' : head
  const side = sideless.has(noun) && /^(?:in|out)put$/.test(head) ? '' : told
  const plural = noun === 'query' ? 'queries' : noun === 'gb_per_day' ? 'gb_days' : `${noun}s`
  // Reasoning is always output.
  return kind === 'reasoning' ? joined([kind, plural]) : joined([side, kind, plural])
}

function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('_')
}
