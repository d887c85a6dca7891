import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatDecimal, exactCount, exactDecimal, isAbove, plus, times } from '../src/exact.ts'
import { costOf, sumOf, type CatalogRecord, type Counts } from '../src/index.ts'
import { catalogOf, rate, record } from './support.ts'

const meters = [
  'input_tokens',
  'cached_input_tokens',
  'cache_write_tokens',
  'output_tokens',
  'reasoning_tokens',
  'searches',
] as const
const amount = fc
  .tuple(fc.bigInt(0n, 10n ** 9n), fc.integer({ min: 0, max: 9 }))
  .map(([units, scale]) => formatDecimal({ units, scale }))
const tokens = fc.integer({ min: 0, max: 2_000_000_000 })
const counts: fc.Arbitrary<Counts> = fc.record(Object.fromEntries(meters.map((meter) => [meter, tokens])), {
  requiredKeys: [],
})

/** A record with any of the rates, each known or not; without thresholds it is linear. */
const linear: fc.Arbitrary<CatalogRecord> = fc
  .record({
    input: fc.option(amount),
    output: fc.option(amount),
    cached: fc.option(amount),
    write: fc.option(amount),
    search: fc.option(amount),
    currency: fc.constantFrom('USD', 'CNY', 'EUR'),
  })
  .map(({ input, output, cached, write, search, currency }) =>
    record({
      resource_id: 'a:x',
      currency,
      input_per_mtok: input,
      output_per_mtok: output,
      cached_input_per_mtok: cached,
      rates: [
        ...(write === null ? [] : [rate('cache_write_tokens', write)]),
        ...(search === null ? [] : [rate('searches', search)]),
      ],
    }),
  )

/** Long prompts cost more, as with every vendor. */
const stepped = fc
  .record({
    base: linear,
    factor: fc.integer({ min: 1, max: 9 }),
    threshold: fc.integer({ min: 1, max: 1_000_000 }),
  })
  .map(({ base, factor, threshold }) => {
    const columns = [
      ['input_tokens', base.input_per_mtok],
      ['output_tokens', base.output_per_mtok],
      ['cached_input_tokens', base.cached_input_per_mtok],
    ] as const
    const dearer = (text: string) => formatDecimal(times(exactDecimal(text), exactCount(factor)))
    const long = [
      ...columns.flatMap(([meter, text]) =>
        text === null ? [] : [rate(meter, dearer(text), { threshold })],
      ),
      ...(base.rates ?? [])
        .filter(({ meter }) => meter !== 'searches')
        .map((one) => ({ ...one, amount: dearer(one.amount), threshold })),
    ]
    return { ...base, rates: [...(base.rates ?? []), ...long] }
  })

const cost = (one: CatalogRecord, used: Counts, requests = 1) =>
  costOf({ counts: used, requests }, { catalog: catalogOf(one), model: 'a:x' })
const least = (one: ReturnType<typeof cost>) => exactDecimal(one.isWhole ? one.total : one.atLeast)
const sumOfTexts = (texts: readonly string[]) =>
  formatDecimal(texts.map(exactDecimal).reduce(plus, exactCount(0)))

/** Around the largest safe integer, where a number is rounded, and far beyond. */
const exact = fc
  .tuple(
    fc.oneof(
      fc.integer({ min: 0, max: 5_000_000 }).map(BigInt),
      fc.bigInt(2n ** 53n - 5n, 2n ** 53n + 5n),
      fc.bigInt(0n, 2n ** 120n),
    ),
    fc.integer({ min: 0, max: 20 }),
  )
  .map(([units, scale]) => ({ units, scale, read: exactDecimal(formatDecimal({ units, scale })) }))

test('the arithmetic is that of whole numbers of any size, also where it is done with safe ones', () => {
  fc.assert(
    fc.property(exact, exact, (a, b) => {
      expect(formatDecimal(a.read)).toBe(formatDecimal(a))
      expect(formatDecimal(times(a.read, b.read))).toBe(
        formatDecimal({ units: a.units * b.units, scale: a.scale + b.scale }),
      )
      const scale = Math.max(a.scale, b.scale)
      const [x, y] = [a, b].map((one) => one.units * 10n ** BigInt(scale - one.scale)) as [bigint, bigint]
      expect(formatDecimal(plus(a.read, b.read))).toBe(formatDecimal({ units: x + y, scale }))
      expect(isAbove(a.read, b.read)).toBe(x > y)
    }),
    { numRuns: 1_000 },
  )
})

test('every count is in one line, priced or not, and the total is the sum of the lines', () => {
  fc.assert(
    fc.property(stepped, counts, (one, used) => {
      const result = cost(one, used)
      const lines = [...result.lines, ...result.unpriced].map(({ meter, count }) => [meter, count]).sort()
      expect(lines).toEqual(
        Object.entries(used)
          .filter(([, count]) => count !== 0)
          .map(([meter, count]) => [meter, String(count as number)])
          .sort(),
      )
      expect(formatDecimal(least(result))).toBe(sumOfTexts(result.lines.map((line) => line.amount)))
      expect(result.isWhole).toBe(result.unpriced.length === 0)
      expect(result.total === null).toBe(!result.isWhole)
    }),
  )
})

test('a line is its count times its rate, exactly', () => {
  fc.assert(
    fc.property(stepped, counts, (one, used) => {
      for (const { count, rate: paid, unit, amount: stated } of cost(one, used).lines) {
        const product = times(exactDecimal(count), exactDecimal(paid))
        const perMillion = unit === '1m_tokens' ? { ...product, scale: product.scale + 6 } : product
        expect(stated).toBe(formatDecimal(perMillion))
      }
    }),
  )
})

test('without thresholds it is linear: twice the use is twice the cost', () => {
  fc.assert(
    fc.property(linear, counts, (one, used) => {
      const twice = Object.fromEntries(
        Object.entries(used).map(([meter, count]) => [meter, 2 * (count as number)]),
      )
      expect(formatDecimal(least(cost(one, twice)))).toBe(
        formatDecimal(times(least(cost(one, used)), exactCount(2))),
      )
    }),
  )
})

test('more use never costs less', () => {
  fc.assert(
    fc.property(stepped, counts, fc.constantFrom(...meters), tokens, (one, used, meter, more) => {
      const before = cost(one, used)
      const after = cost(one, { ...used, [meter]: ((used[meter] as number | undefined) ?? 0) + more })
      // A kind that has no price below a threshold has none above: what is priced grows.
      expect(isAbove(least(before), least(after))).toBe(false)
    }),
  )
})

test('it is never less than any part that has a price', () => {
  fc.assert(
    fc.property(stepped, counts, (one, used) => {
      const whole = cost(one, used, 2)
      for (const [meter, count] of Object.entries(used)) {
        const part = cost(one, { [meter]: count }, 2)
        expect(isAbove(least(part), least(whole))).toBe(false)
      }
    }),
  )
})

test('currencies are never mixed, and a sum is that of its parts', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(linear, counts), { maxLength: 6 }), (pairs) => {
      const costs = pairs.map(([one, used]) => cost(one, used))
      const sums = sumOf(costs)
      expect(sums.map(({ currency }) => currency).sort()).toEqual(
        [...new Set(costs.map((one) => one.currency))].sort(),
      )
      for (const sum of sums) {
        const own = costs.filter(({ currency }) => currency === sum.currency)
        const text = sumOfTexts(own.map((one) => (one.isWhole ? one.total : one.atLeast)))
        expect(sum.isWhole ? sum.total : sum.atLeast).toBe(text)
        expect(sum.isWhole).toBe(own.every((one) => one.isWhole))
      }
    }),
  )
})

/** The edge of a threshold, and on both sides of it: numbers that nothing between them is. */
test('at the edge of a threshold the whole request moves, and no part of it before', () => {
  fc.assert(
    fc.property(stepped, fc.integer({ min: 0, max: 1_000_000 }), (one, read) => {
      const threshold = Math.max(0, ...(one.rates ?? []).map((each) => each.threshold ?? 0))
      const cached = Math.min(read, threshold)
      const of = (input: number) =>
        cost(one, { input_tokens: input, cached_input_tokens: cached, output_tokens: 7 })
      const isLong = (result: ReturnType<typeof cost>) => result.lines.some((line) => line.threshold !== null)
      const edge = threshold % 1_000 === 999 ? threshold + 1 : threshold
      expect(isLong(of(threshold - cached))).toBe(false)
      const above = of(edge - cached + 1)
      expect(above.lines.every((line) => line.threshold === threshold)).toBe(true)
    }),
  )
})

test('counts are exact up to where numbers end, and as text beyond', () => {
  const huge = fc.bigInt(2n ** 40n, 2n ** 90n)
  fc.assert(
    fc.property(huge, amount, (count, price) => {
      const one = record({ resource_id: 'a:x', input_per_mtok: price })
      const amounts = [count, String(count), ...(count <= 2n ** 53n - 1n ? [Number(count)] : [])].map(
        (stated) => cost(one, { input_tokens: stated }).total,
      )
      const product = times(exactDecimal(price), { units: count, scale: 6 })
      expect(new Set(amounts)).toEqual(new Set([formatDecimal(product)]))
    }),
  )
})

test('what is no count has no cost: it throws, in every meter', () => {
  const none = fc.constantFrom(
    -1,
    -0.5,
    NaN,
    Infinity,
    -Infinity,
    '',
    ' 5',
    '5 ',
    '0x10',
    '-3',
    '1_000',
    -5n,
    true,
  )
  fc.assert(
    fc.property(linear, fc.constantFrom(...meters), none, (one, meter, stated) => {
      expect(() => cost(one, { input_tokens: 1, [meter]: stated } as Counts)).toThrow('is no count')
    }),
  )
})

test.each([0, -1, 1.5, NaN, '2', 2 ** 53])('of %s requests nobody can say what they cost', (requests) => {
  expect(() => cost(record({ resource_id: 'a:x' }), { input_tokens: 1 }, requests as number)).toThrow(
    '"requests" is a whole number of 1 or more',
  )
})

test('a fee per request is due once for each, besides what is counted', () => {
  const fee = record({
    resource_id: 'a:x',
    input_per_mtok: '1',
    rates: [rate('requests', '0.01', { unit: 'request' })],
  })
  expect(cost(fee, { input_tokens: 1_000_000 }).total).toBe('1.01')
  expect(cost(fee, { input_tokens: 1_000_000 }, 3).total).toBe('1.03')
  expect(cost(fee, { input_tokens: 1_000_000, requests: 2 }).total).toBe('1.02')
  expect(cost(fee, {}).total).toBe('0')
})
