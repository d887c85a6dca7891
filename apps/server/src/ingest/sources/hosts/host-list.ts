import { z } from 'zod'
import { amountReader, asStated, type Scale } from '../../../catalog/decimal.ts'
import type { ModelFacts } from '../../../catalog/model-facts.ts'
import type { Modality } from '../../../catalog/price-record.ts'
import type { Rate } from '../../../catalog/rate-card.ts'
import { UserError } from '../../../platform/user-error.ts'
import { toDay } from '../../days.ts'
import { findSeller, identify, lookUp } from '../../match/identify.ts'
import { decideModality } from '../../match/modality.ts'
import type { Amounts, SourceReading } from '../../source-record.ts'
import { newestDay } from '../reading/data-day.ts'
import { chooseUnit, isPositive, splitCard, type Read } from '../reading/rate-reader.ts'
import { complaints, toRate, toReading, type Candidate, type ReadRow } from '../reading/reading.ts'
import { findUnknownFields, type FieldTable } from '../reading/unknown-fields.ts'

/** What a field counts, and how its amount becomes one of our unit. */
export interface Meter {
  meter: string
  unit: string
  variant: string | null
  scale: Scale
}

export const tokens = (meter: string, scale: Scale = asStated, variant: string | null = null): Meter => ({
  ...{ meter, unit: '1m_tokens', variant, scale },
})

export const pieces = (
  meter: string,
  unit: string,
  variant: string | null = null,
  scale: Scale = asStated,
): Meter => ({ meter, unit, variant, scale })

/** An amount as lists write it. */
export const Stated = z.union([z.number(), z.string()]).nullish()
export type Stated = z.infer<typeof Stated>

/** An amount of a row, as it stands there, and what it is for. */
export interface Entry extends Meter {
  field: string
  stated: Stated
  threshold?: number | null
  service_tier?: string | null
}

/** What a row of a list says of one resource. */
export interface HostRow {
  id: string
  entries: readonly Entry[]
  /** What the model makes. */
  outputs?: readonly string[]
  modality?: Modality
  region?: string
  /**
   * What 0 tokens mean: `price`; `unknown`, where they only fill the field; `beside`: a price beside others, else unknown.
   */
  zero?: 'price' | 'unknown' | 'beside'
  link?: string | null
  retires_on?: string | null
  replaced_by?: string | null
  is_witness?: boolean
  facts?: ModelFacts
}

/** A list that a seller publishes of what it sells, by the ids that a request names. */
export interface HostList {
  platform: string
  /** What its file is, in errors. */
  title: string
  /** Its page or address, for rows without a link of their own. */
  link?: string
  /** Reads one row; what it complains of is the reason of the refusal. */
  Row: z.ZodType<HostRow | HostRow[]>
  fields: FieldTable
}

/**
 * Reads a list: an object with the rows under `data` or `models`, or the rows alone.
 * @throws UserError when it is none
 */
export function readHostList(list: HostList, json: unknown, now: Date): SourceReading {
  const rows = listRows(json).map((row, index) => [readName(row) ?? `#${index}`, row] as const)
  if (rows.length === 0) throw new UserError(`This is not ${list.title}: it lists no model.`)
  const read = rows.flatMap(([name, row]): ReadRow[] => {
    const { data, error } = list.Row.safeParse(row)
    if (error) return [{ id: name, reason: `cannot be read: ${complaints(error)}` }]
    return [data].flat().map((one) => ({ id: one.id, ...toCandidate(list, one) }))
  })
  const reading = toReading(read)
  if (reading.records.length === 0)
    throw new UserError(
      `This is not ${list.title}: none of its rows is a model (${reading.rejected[0]?.reason}).`,
    )
  return {
    ...reading,
    // The list is as new as its newest model.
    data_at: newestDay(
      rows.map(([, row]) => readDay(row)),
      now,
    ),
    unknown_fields: findUnknownFields(rows, list.fields),
  }
}

const Rows = z.array(z.unknown())
const Answer = z.union([
  Rows,
  z.looseObject({ data: Rows }).transform(({ data }) => data),
  z.looseObject({ models: Rows }).transform(({ models }) => models),
])

function listRows(json: unknown): unknown[] {
  return Answer.safeParse(json).data ?? []
}

function toCandidate(list: HostList, row: HostRow): Candidate | { reason: string } {
  const { id, region, modality, link, zero = 'unknown', ...more } = row
  const { read, problems } = amountReader()
  const card = splitCard(row.entries.flatMap((entry) => readEntry(entry, read)))
  if (problems.length > 0) return { reason: `has no usable price: ${problems.join('; ')}` }
  const isPriced = card.rates.length > 0 || Object.values(card.amounts).some(isPositive)
  const isStated = zero === 'price' || (zero === 'beside' && isPriced)
  const amounts = isStated ? card.amounts : withoutZeros(card.amounts)
  return {
    id: region === undefined ? id : `${region}/${id}`,
    identity: identify({ ...findSeller(list.platform), ...(region !== undefined && { region }) }, id),
    price: {
      modality: modality ?? decideModality(id, row.outputs ?? []),
      unit: chooseUnit(amounts, card.rates),
      ...amounts,
      currency: 'USD',
      source_url: link === undefined ? (list.link ?? null) : link,
      effective_at: null,
    },
    rates: card.rates,
    retires_on: more.retires_on ?? null,
    ...(more.replaced_by != null && { replaced_by: more.replaced_by }),
    ...(more.is_witness === true && { is_witness: true }),
    ...(more.facts && { facts: more.facts }),
  }
}

function readEntry({ field, stated, meter, unit, scale, ...kind }: Entry, read: Read): Rate[] {
  const amount = read(field, stated, scale)
  const { variant, threshold = null, service_tier = null } = kind
  return amount === null ? [] : [toRate(meter, unit, amount, { variant, threshold, service_tier })]
}

function withoutZeros(amounts: Amounts): Amounts {
  const zeros = Object.entries(amounts).filter(([, amount]) => amount === '0')
  return { ...amounts, ...Object.fromEntries(zeros.map(([column]) => [column, null])) }
}

/** `created` counts seconds. */
const Created = z.looseObject({ created: z.int().nonnegative().max(4_102_444_800) })

function readDay(row: unknown): string | null {
  const stated = Created.safeParse(row)
  return stated.success ? toDay(new Date(stated.data.created * 1_000)) : null
}

const nameFields = ['id', 'model', 'model_name'] as const

function readName(row: unknown): string | undefined {
  if (typeof row !== 'object' || row === null) return undefined
  const named = row as Partial<Record<string, unknown>>
  return nameFields.map((field) => named[field]).find((name) => typeof name === 'string')
}

/** The entries of fields that the table knows. Others are left out, and reported where they look like prices. */
export function listEntries(
  amounts: Readonly<Record<string, Stated>>,
  meters: Readonly<Record<string, Meter>>,
  only: Pick<Entry, 'threshold' | 'service_tier'> = {},
): Entry[] {
  return Object.entries(amounts).flatMap(([field, stated]) => {
    const meter = lookUp(meters, field)
    return meter === undefined ? [] : [{ field, stated, ...meter, ...only }]
  })
}

/** The day of an instant or a day; null: the text begins with none. */
export function toRetirement(text: string | null | undefined): string | null {
  const day = z.iso.date().safeParse(text?.slice(0, 10))
  // Two models of OpenRouter's list "expire" on 2098-12-31, which is their maker's way to say never.
  return day.success && day.data < '2090' ? day.data : null
}
