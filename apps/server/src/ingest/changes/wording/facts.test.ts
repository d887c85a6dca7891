import { companyName, modelName } from '@ratecard/contract/model-name'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draft, price, state, wordingContext } from '../../../../test/support/drafts.ts'
import { amountColumns, type PriceRecord } from '../../../catalog/price-record.ts'
import { feedCategories, type ChangeDraft, type MovedRow } from '../change-draft.ts'
import { daysBetween } from '../../days.ts'
import { listMoves, computeShare } from './moves.ts'
import { latestRecord } from './subject.ts'
import { writeSummary } from './summary.ts'
import { percentText } from './text.ts'
import { writeTitle } from './title.ts'

// Titles and summaries are made from facts. Here they are read back, and each fact in them is looked up in the rows.

const platforms = ['acme', 'bedrock', 'azure', 'openrouter', 'groq']
const models = ['alpha-2', 'alpha-2-0125', 'alpha-2-0613', 'alpha-2-20250101', 'accounts/acme/models/alpha-2']
const product = 'acme/alpha-2'
const day = fc.constantFrom(
  '2026-06-01',
  '2026-07-20',
  '2026-08-02',
  '2026-08-03',
  '2026-08-20',
  '2027-01-01',
)
const amount = fc.constantFrom('0', '0.25', '0.3', '1', '1.5', '2', '3.75', '40')
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })

interface Place {
  platform: string
  region: string | null
  model: string
}
const place: fc.Arbitrary<Place> = fc.record({
  platform: fc.constantFrom(...platforms),
  region: fc.constantFrom(null, null, 'eu', 'us'),
  model: fc.constantFrom(...models),
})
const idOf = ({ platform, region, model }: Place) => [platform, region, model].filter(Boolean).join(':')
const amounts = fc.record({
  input_per_mtok: maybe(amount),
  output_per_mtok: maybe(amount),
  cached_input_per_mtok: maybe(amount),
  image_per_unit: maybe(amount),
})
type Amounts = typeof amounts extends fc.Arbitrary<infer T> ? T : never

function recordOf(at: Place, fields: Partial<PriceRecord>): PriceRecord {
  return price(idOf(at), { platform: at.platform, region: at.region, product_id: product, ...fields })
}

const side = fc.record({ amounts, retires_on: maybe(day) })
const rowAt = (at: Place): fc.Arbitrary<MovedRow> =>
  fc.record({ was: side, is: side }).map(({ was, is }) => {
    const stateOf = ({ amounts, retires_on }: { amounts: Amounts; retires_on: string | null }) =>
      state(recordOf(at, amounts), { retires_on })
    return { resource_id: idOf(at), before: stateOf(was), after: stateOf(is) }
  })

const anyCase = fc
  .uniqueArray(place, { minLength: 1, maxLength: 9, selector: idOf })
  .chain((places) => fc.tuple(fc.constant(places), fc.integer({ min: 1, max: places.length })))
  .chain(([places, movedCount]) =>
    fc.record({
      rows: fc.tuple(...places.slice(0, movedCount).map(rowAt)),
      others: fc.constant(places.slice(movedCount).map((at) => recordOf(at, {}))),
      category: fc.constantFrom(...feedCategories.filter((category) => category !== 'tier_change')),
      sources: fc.subarray(['litellm', 'models.dev', 'portkey', 'openrouter']),
      effectiveOn: maybe(day),
      status: fc.constantFrom('in_effect' as const, 'announced' as const, 'withdrawn' as const),
      verified: fc.boolean(),
    }),
  )
  .map(({ rows, others, category, sources, ...facts }) => {
    const told = rows.map((row) => ({
      ...row,
      before: category === 'model_added' ? null : row.before,
      after: category === 'model_removed' ? null : row.after,
    }))
    const evidence = told.flatMap(({ resource_id, after }) =>
      sources.map((source) => ({
        ...{ resource_id, source, source_key: resource_id, source_url: null },
        field: 'input_per_mtok',
        amount: after?.record.input_per_mtok ?? null,
        amount_before: null,
        since: '2026-08-01T06:00:00.000000Z',
        last_seen: '2026-08-02T06:00:00.000000Z',
      })),
    )
    return { change: draft({ category, product, rows: told, evidence, ...facts }), others }
  })

/** The title without what dates put before it, as its name and the rest. */
function partsOf(title: string): { name: string; rest: string } {
  const bare = title
    .replace(/^(?:Called off|From [\d-]+|Tomorrow \([\d-]+\)|In \d+ days \([\d-]+\)): /, '')
    .replace('Corrected: ', '')
    .replace(
      /^((?:[A-Za-z.]+(?:, | and )?)+(?:\d+ more)?) no longer lists? (.*?)(?= on [A-Z])/,
      '$2 no longer listed',
    )
  const verb = / (?:is|are|has|have|costs?|no longer|was|were|retired|retires?|stays?|but) | on (?=[A-Z])/
  const end = bare.search(verb)
  return { name: bare.slice(0, end), rest: bare.slice(end) }
}

function daysIn({ rows, effectiveOn, firstSeen }: ChangeDraft): Set<string | null> {
  const states = rows.flatMap(({ before, after }) => [before, after])
  return new Set([effectiveOn, firstSeen.slice(0, 10), ...states.map((one) => one?.retires_on ?? null)])
}

function numbersIn({ rows, ...change }: ChangeDraft, today: string): Set<string> {
  const states = rows.flatMap(({ before, after }) => [before, after])
  const stated = states.flatMap((one) => amountColumns.map((column) => one?.record[column] ?? null))
  const left = [...daysIn({ rows, ...change })].flatMap((on) => (on ? Math.abs(daysBetween(today, on)) : []))
  return new Set([...stated.filter((value) => value !== null), ...left.map(String)])
}

const settings = { numRuns: 600 }

test('every day, percentage and amount of a title and a summary is one of the rows', () => {
  fc.assert(
    fc.property(anyCase, ({ change, others }) => {
      const context = wordingContext({ prices: others })
      fc.pre(!writeTitle(change, context).endsWith('…'))
      const { rest } = partsOf(writeTitle(change, context))
      const [opening = '', ...lines] = writeSummary(change, context, null).split('\n')
      const shares = listMoves(change).flatMap((move) => computeShare(move) ?? [])
      const percents = new Set(shares.map((share) => percentText(share).replace(/^[−+]|^(?:up|down) /, '')))
      const numbers = numbersIn(change, context.today)
      for (const text of [rest, writeTitle(change, context), opening, ...lines]) {
        for (const [percent] of text.matchAll(/[\d.,]+ %/g)) expect(percents).toContain(percent)
        for (const [on] of text.matchAll(/\d{4}-\d\d-\d\d(?!\d)/g)) expect(daysIn(change)).toContain(on)
      }
      const bare = rest
        .replaceAll(/[+−]?[\d.,]+ %|\d{4}-\d\d-\d\d/g, '')
        .replaceAll(/\d+ (?:more|of|listings?|prices?|sources?|deny|denies)\b/g, '')
      for (const [number] of bare.matchAll(/\d[\d.]*/g))
        expect([...numbers].map(Number)).toContain(Number(number))
    }),
    settings,
  )
})

test('the platforms of a title are those of the rows', () => {
  fc.assert(
    fc.property(anyCase, ({ change, others }) => {
      const title = writeTitle(change, wordingContext({ prices: others }))
      fc.pre(!title.endsWith('…'))
      const { rest } = partsOf(title)
      const own = [...new Set(change.rows.flatMap(latestRecord).map(({ platform }) => platform))].sort()
      const named = platforms.filter((platform) => new RegExp(`\\b${companyName(platform)}\\b`).test(rest))
      const more = Number(
        / and (\d+) more(?! on [A-Z])/.exec(rest.slice(rest.search(/ (?:on|from) (?=[A-Z])/)))?.[1] ?? 0,
      )
      expect(named.filter((platform) => !own.includes(platform))).toEqual([])
      expect(named.length + (own.length > 3 ? more : 0)).toBe(own.length)
    }),
    settings,
  )
})

test('the name of a title covers all rows, and only them', () => {
  fc.assert(
    fc.property(anyCase, ({ change, others }) => {
      const title = writeTitle(change, wordingContext({ prices: others }))
      fc.pre(!title.endsWith('…'))
      const { name, rest } = partsOf(title)
      const records = change.rows.flatMap(latestRecord)
      const here = new Set(records.map(({ platform }) => platform))
      const outside = others.filter(({ platform }) => here.has(platform))
      const counted = /^(\d+) of (\d+) listings of Alpha 2$/.exec(name)
      if (counted) {
        expect(counted.slice(1).map(Number)).toEqual([records.length, records.length + outside.length])
        return
      }
      if (outside.length === 0) {
        expect(name).toBe('Alpha 2')
        return
      }
      const names = name.split(/, | and /)
      const isNamed = (record: PriceRecord, among: readonly PriceRecord[]) => {
        const model = record.resource_id.slice(
          [record.platform, record.region].filter(Boolean).join(':').length + 1,
        )
        // Paths are left out where what is left is no other row's name.
        const short = model.slice(model.lastIndexOf('/') + 1)
        const isTaken = among.some(
          ({ resource_id, platform, region }) =>
            resource_id !== record.resource_id &&
            platform === record.platform &&
            region === record.region &&
            /[^:/]+$/.exec(resource_id)?.[0] === short,
        )
        return (
          [model, modelName(model)].some((one) => names.includes(one)) ||
          (!isTaken && [short, modelName(short)].some((one) => names.includes(one)))
        )
      }
      expect(records.filter((record) => !isNamed(record, outside))).toEqual([])
      // A row of the same name is told apart by its region.
      for (const other of outside.filter((one) => isNamed(one, records))) {
        const regions =
          new RegExp(`\\b${companyName(other.platform!)} \\(([^)]*)\\)`).exec(rest)?.[1]?.split(/, | and /) ??
          []
        expect(regions.length).toBeGreaterThan(0)
        expect(regions).not.toContain(other.region ?? 'default region')
      }
    }),
    settings,
  )
})

test('removed is said only of a product that is sold nowhere on its platforms, by its own list or two sources', () => {
  fc.assert(
    fc.property(anyCase, ({ change, others }) => {
      const context = wordingContext({ prices: others })
      const texts = [writeTitle(change, context), writeSummary(change, context, null)]
      if (!texts.some((text) => /\bremoved\b/.test(text))) return
      expect(change.category).toBe('model_removed')
      const here = new Set(change.rows.flatMap(latestRecord).map(({ platform }) => platform))
      expect(others.filter(({ platform }) => here.has(platform))).toEqual([])
      expect(new Set(change.evidence.map(({ source }) => source)).size).toBeGreaterThan(0)
    }),
    settings,
  )
})
