import {
  perSecondToPerMinute,
  perOneToPerMillion,
  type AmountReader,
  type Scale,
} from '../../../catalog/decimal.ts'
import { amountColumns, type AmountColumn, type Modality } from '../../../catalog/price-record.ts'
import type { Amounts } from '../../source-record.ts'
import { isPositive, toModality, type Row } from './litellm-row.ts'

export type Columns = Record<AmountColumn, { fields: readonly string[]; scale?: Scale }>

/** The fields that state a column. The first with a price is taken. */
export function chooseColumns({ mode }: Row): Columns {
  const modality = toModality(mode)
  const perSecond = ['input_cost_per_second', 'output_cost_per_second']
  return {
    input_per_mtok: { fields: ['input_cost_per_token'], scale: perOneToPerMillion },
    output_per_mtok: { fields: ['output_cost_per_token'], scale: perOneToPerMillion },
    cached_input_per_mtok: {
      // The second is the old spelling, still on rows of deepseek and novita.
      fields: ['cache_read_input_token_cost', 'input_cost_per_token_cache_hit'],
      scale: perOneToPerMillion,
    },
    image_per_unit: {
      // DALL-E's price of an output image is under `input_`. In a chat model that field is an input image.
      fields: ['output_cost_per_image', 'input_cost_per_image'].slice(
        0,
        modality !== 'image' ? 0 : mode === 'image_generation' ? 2 : 1,
      ),
    },
    audio_per_min: {
      // One of the two, never their sum: whisper-1 states its one price in both.
      fields: modality !== 'audio' ? [] : mode === 'audio_speech' ? perSecond.toReversed() : perSecond,
      scale: perSecondToPerMinute,
    },
    video_per_sec: {
      fields: modality === 'video' ? ['output_cost_per_video_per_second', 'output_cost_per_second'] : [],
    },
  }
}

export function amountsIn(row: Row, columns: Columns, read: AmountReader['read']): Amounts {
  const amount = (column: AmountColumn) => {
    const { fields, scale } = columns[column]
    const stated = fields.map((field) => read(field, row[field] as number | string | null | undefined, scale))
    // A 0 in one of two alternative fields fills it (`output_cost_per_second: 0.0` on all of Deepgram).
    const positive = stated.find(isPositive) ?? null
    return positive ?? (column.endsWith('_per_mtok') && stated.includes('0') ? '0' : null)
  }
  const amounts = Object.fromEntries(amountColumns.map((column) => [column, amount(column)])) as Amounts

  // litellm writes 0 tokens where tokens are not billed (rerank by query, images, speech): not "free".
  const tokens = [amounts.input_per_mtok, amounts.output_per_mtok, amounts.cached_input_per_mtok]
  const isFiller =
    !tokens.some(isPositive) && (findOtherUnit(row) !== null || isBilledOtherwise(toModality(row.mode)))
  const nothing = { input_per_mtok: null, output_per_mtok: null, cached_input_per_mtok: null }
  return isFiller ? { ...amounts, ...nothing } : amounts
}

/** The unit of the headline price: of a column, else of the field by which the row is billed. */
export function chooseUnit(row: Row, amounts: Amounts): string | null {
  if (amounts.image_per_unit !== null) return 'image'
  if (amounts.audio_per_min !== null) return 'minute'
  if (amounts.video_per_sec !== null) return 'second'
  if (amounts.input_per_mtok !== null || amounts.output_per_mtok !== null) return '1m_tokens'
  return findOtherUnit(row)
}

/** The unit of a row that none of our columns fits, by its price field. */
const otherUnits: readonly { field: RegExp; unit: string }[] = [
  { field: /_per_character$/, unit: '1m_characters' },
  { field: /_per_query$/, unit: 'query' },
  { field: /_per_page$/, unit: 'page' },
  { field: /_per_credit$/, unit: 'credit' },
  { field: /_per_request$/, unit: 'request' },
  { field: /_per_session$/, unit: 'session' },
  { field: /_per_pixel$/, unit: 'pixel' },
  { field: /_per_image$/, unit: 'image' },
  { field: /_per_(?:\w+_)?second$/, unit: 'second' },
]

function findOtherUnit(row: Row): string | null {
  const isBilled = ({ field }: { field: RegExp }) =>
    Object.entries(row).some(([name, value]) => field.test(name) && Number(value) > 0)
  return otherUnits.find(isBilled)?.unit ?? null
}

function isBilledOtherwise(modality: Modality | null): boolean {
  return modality !== null && ['image', 'audio', 'video', 'ocr', 'search'].includes(modality)
}
