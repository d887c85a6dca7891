import { z } from 'zod'
import { amountReader } from '../../../catalog/decimal.ts'
import { amountColumns, modalities, type Modality, type RejectedRow } from '../../../catalog/price-record.ts'
import { rateKey, type Rate } from '../../../catalog/rate-card.ts'
import { idLengthMax } from '../../../platform/cursor.ts'
import { UserError } from '../../../platform/user-error.ts'
import { addressLengthMax, webAddress } from '../../../platform/web-address.ts'
import { identify, type Identity } from '../../match/identify.ts'
import { plainId } from '../../match/plain-id.ts'
import type { Amounts, SourceReading } from '../../source-record.ts'
import { toDay } from '../../days.ts'
import { toReading, type Candidate } from '../reading/reading.ts'

/**
 * An operator's own prices, as CSV or JSON: a row per price, its fields named as in the contract. Several rows may name
 * one resource with different days: the last that has begun is its price, later ones are scheduled.
 */
export interface OwnRow {
  /** The row's position: `line 7`. */
  location: string
  candidate: Candidate
  amounts: Amounts
  /** The UTC day on which the price begins; empty: it is not dated. */
  startsOn: string
}

const text = z
  .string()
  .min(1)
  .max(idLengthMax)
  .regex(/^[^\u0000-\u001f\u007f]*$/, 'has control characters')
const amount = z.union([z.number(), z.string()]).nullish()
const day = z.iso.date('is not a day, YYYY-MM-DD')

const identityFields = { resource_id: text.nullish(), platform: text.nullish(), id: text.nullish() }
const fields = {
  ...identityFields,
  region: text.nullish(),
  vendor: text.nullish(),
  product_id: text.regex(/^[^/]+\/.+$/, 'is not vendor/model').nullish(),
  modality: z.enum(modalities, `is not one of ${modalities.join(', ')}`).nullish(),
  unit: text.nullish(),
  input_per_mtok: amount,
  output_per_mtok: amount,
  cached_input_per_mtok: amount,
  image_per_unit: amount,
  audio_per_min: amount,
  video_per_sec: amount,
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'is not a currency code, such as USD')
    .nullish(),
  source_url: z
    .string()
    .max(addressLengthMax)
    .refine((value) => webAddress(value) !== null, 'is not an http or https address')
    .nullish(),
  effective_at: day
    .or(
      z.iso.datetime({ offset: true, error: 'is neither a day, YYYY-MM-DD, nor an instant with its offset' }),
    )
    .nullish(),
  retires_on: day.nullish(),
}
const Row = z.strictObject({
  ...fields,
  rates: z
    .array(
      z.strictObject({
        meter: z.string().regex(/^[a-z0-9_]{1,100}$/, 'is not in snake case'),
        unit: text,
        amount: z.union([z.number(), z.string()]),
        service_tier: text.nullish(),
        variant: text.nullish(),
        threshold: z.int().nonnegative().nullish(),
        hours: z
          .string()
          .regex(/^(?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d$/, 'is not HH:MM-HH:MM')
          .nullish(),
      }),
    )
    .nullish(),
})
type Row = z.infer<typeof Row>

/** The fields of a row that are not lists: the columns of a CSV. */
export const ownColumns = Object.keys(fields)

/** Reads one row. A row that cannot be served is reported with its position and the invalid fields. */
export function readOwnRow(location: string, values: unknown): OwnRow | RejectedRow {
  const row = Row.safeParse(values)
  if (!row.success) return rejection(location, values, row.error.issues.map(describeIssue))
  const { data } = row

  const { read, problems } = amountReader()
  // In other sources -1 says "it depends". An operator leaves an unknown price out.
  const positive = (field: string, value: number | string | null | undefined) => {
    if (Number(value) < 0) problems.push(`${field} is negative: ${value}; leave out what is not known`)
    return Number(value) < 0 ? null : read(field, value)
  }
  const amounts = Object.fromEntries(
    amountColumns.map((column) => [column, positive(column, data[column])]),
  ) as Amounts
  const rates = (data.rates ?? []).map((rate, index): Rate => ({
    meter: rate.meter,
    unit: rate.unit,
    amount: positive(`rates.${index}.amount`, rate.amount) ?? '0',
    service_tier: rate.service_tier ?? null,
    variant: rate.variant ?? null,
    threshold: rate.threshold ?? null,
    hours: rate.hours ?? null,
  }))
  if (new Set(rates.map(rateKey)).size < rates.length) problems.push('rates has two amounts for the same')
  const identity = readIdentity(data)
  if (typeof identity === 'string') problems.push(identity)
  if (problems.length > 0 || typeof identity === 'string') return rejection(location, values, problems)

  const { modality, unit } = guessKind(amounts)
  const effectiveAt = data.effective_at ?? null
  return {
    location,
    amounts,
    startsOn: effectiveAt === null ? '' : toDay(new Date(effectiveAt)),
    candidate: {
      id: identity.resource_id,
      identity,
      ...(data.product_id != null && { product: data.product_id }),
      price: {
        modality: data.modality ?? modality,
        unit: data.unit ?? unit,
        ...amounts,
        currency: data.currency ?? 'USD',
        source_url: data.source_url ?? null,
        effective_at: effectiveAt,
      },
      rates,
      retires_on: data.retires_on ?? null,
    },
  }
}

function rejection(location: string, values: unknown, problems: readonly string[]): RejectedRow {
  const { success, data } = z.looseObject(identityFields).safeParse(values)
  const id = success ? (data.resource_id ?? data.id) : null
  return { id: id ?? location, reason: `${location}: ${problems.join('; ')}` }
}

function describeIssue({ path, message }: { path: PropertyKey[]; message: string }): string {
  return path.length === 0 ? message : `${path.map(String).join('.')} ${message}`
}

/** The resource of a row, or the problem of its name. */
function readIdentity(row: Row): Identity | string {
  const { id, region, vendor } = row
  const [resource_id, platform] = [row.resource_id, row.platform].map((text) =>
    text == null ? null : plainId(text),
  )
  if (resource_id == null) {
    if (platform == null || id == null) return 'resource_id is missing, or platform and id'
    const found = identify({ platform }, id)
    const isOther = region != null && region !== found.region
    return {
      ...found,
      vendor: vendor ?? found.vendor,
      ...(isOther && { region, resource_id: `${platform}:${region}:${plainId(id)}` }),
    }
  }
  if (id != null) return 'id stands beside resource_id: give one of the two'
  const [, first, rest] = /^([^:]+):(.+)$/.exec(resource_id) ?? []
  if (first === undefined || rest === undefined) return 'resource_id is not platform:id'
  if (platform != null && platform !== first) return `platform is not what resource_id begins with, ${first}`

  // The region is in the id itself, or was a segment of it: `bedrock:us:us.anthropic…`, `azure:eu:gpt-4o`.
  const spellings = rest.includes(':') ? [rest.replace(':', '/'), rest.replace(/^[^:]+:/, ''), rest] : [rest]
  const found = spellings
    .map((spelling) => identify({ platform: first }, spelling))
    .find((identity) => identity.resource_id === resource_id)
  const identity = found ?? { ...identify({ platform: first }, rest), resource_id, region: null }
  return { ...identity, region: region ?? identity.region, vendor: vendor ?? identity.vendor }
}

/** The default modality and unit of a row: those of its first kind of price. */
function guessKind(amounts: Amounts): { modality: Modality | null; unit: string | null } {
  if (amounts.input_per_mtok !== null || amounts.output_per_mtok !== null)
    return { modality: 'llm', unit: '1m_tokens' }
  if (amounts.image_per_unit !== null) return { modality: 'image', unit: 'image' }
  if (amounts.audio_per_min !== null) return { modality: 'audio', unit: 'minute' }
  if (amounts.video_per_sec !== null) return { modality: 'video', unit: 'second' }
  return { modality: null, unit: null }
}

/**
 * One record per resource: the row in force today, with later ones as its scheduled prices.
 * @throws UserError when no row can be read
 */
export function ownReading(
  file: readonly (OwnRow | RejectedRow)[],
  now: Date,
  version: string | null = null,
): SourceReading {
  const rejected = file.filter((row) => 'reason' in row)
  const read = file.filter((row) => 'candidate' in row)
  const [first] = rejected
  if (read.length === 0)
    throw new UserError(
      first ? `No row of the file can be read. The first: ${first.reason}.` : 'The file lists no price.',
    )
  const today = toDay(now)
  const candidates: Candidate[] = []
  for (const rows of Map.groupBy(read, ({ candidate }) => candidate.id).values()) {
    // The first of each day, by day.
    const days = new Map<string, OwnRow>()
    for (const row of rows) {
      const rival = days.get(row.startsOn)
      if (rival) rejected.push(named(row, `names the same resource as ${rival.location}`))
      else days.set(row.startsOn, row)
    }
    const inOrder = [...days.values()].toSorted((a, b) => (a.startsOn < b.startsOn ? -1 : 1))
    const begun = inOrder.filter(({ startsOn }) => startsOn <= today)
    const later = inOrder.filter(({ startsOn }) => startsOn > today)
    const current = begun.pop()
    if (current) {
      const scheduled = later.map(({ startsOn, amounts }) => ({ starts_on: startsOn, amounts }))
      candidates.push({ ...current.candidate, scheduled })
      rejected.push(
        ...begun.map((row) =>
          named(row, `no longer holds: ${current.location} does, from ${current.startsOn}`),
        ),
      )
    } else {
      // As a record it would remove the price that another source states.
      rejected.push(
        ...later.map((row) =>
          named(row, `begins on ${row.startsOn}, and no row says what holds until then: add one`),
        ),
      )
    }
  }
  return toReading([...candidates, ...rejected], version)
}

function named({ location, candidate }: OwnRow, reason: string): RejectedRow {
  return { id: candidate.id, reason: `${location}: ${reason}` }
}
