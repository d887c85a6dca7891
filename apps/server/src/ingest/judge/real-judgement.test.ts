import { describe, expect, test } from 'vitest'
import { newestFiles, priceDataDir, priceInput, skipTitle } from '../../../test/support/price-files.ts'
import { doubtedValues, heldValues, rightValues } from '../../../test/support/worst-values.ts'
import { agreeOn } from '../amounts.ts'
import { buildKey } from '../match/names.ts'
import { feedPolicy } from '../policy.ts'
import { readSource } from '../run/read-source.ts'
import { firstClaim, type Claim } from '../claims/claim.ts'
import { judgeAll } from './judge-all.ts'
import type { Verdict } from './judge-resource.ts'
import { rateKey } from '../../catalog/rate-card.ts'

// The six newest files, judged: the values that an audit found to be the worst, and the rate cards.

const at = '2026-08-22T06:00:00.000000Z'
const claims: Claim[] = []
if (priceDataDir !== undefined)
  for (const { source, path } of newestFiles) {
    const { records } = await readSource(source, { ...priceInput(path), now: new Date(at) })
    claims.push(...records.map((record) => firstClaim(source, buildKey(record), record, { at })))
  }
const verdicts = judgeAll(claims, at, feedPolicy)
const byKey = Map.groupBy(claims, ({ key }) => key)

const verdictOf = (id: string): Verdict => verdicts.get(buildKey({ resource_id: id }))!
function tupleOf(id: string): (number | null)[] {
  const { amounts } = verdictOf(id)
  return [amounts.input_per_mtok, amounts.output_per_mtok, amounts.cached_input_per_mtok].map(({ value }) =>
    value === null ? null : Number(value),
  )
}

describe.skipIf(priceDataDir === undefined)(skipTitle('of the worst values'), () => {
  const none = [null, null, null]
  test.each(rightValues)('%s is right', (id, tuple) => expect(tupleOf(id)).toEqual(tuple))

  test.each(heldValues)('%s is held: %s', (id, reason) => {
    expect(tupleOf(id).slice(0, 1)).toEqual(none.slice(0, 1))
    expect(verdictOf(id).held.map((held) => held.reason)).toContain(reason)
  })

  test.each(doubtedValues)('%s is shown with its doubt: %s, and not confirmed', (id, rule) => {
    const { rule: chosen, isConfirmed } = verdictOf(id)
    expect([chosen, isConfirmed]).toEqual([rule, false])
  })

  test('no row is served that no source states', () => {
    const columns = ['input_per_mtok', 'output_per_mtok', 'cached_input_per_mtok'] as const
    const mixed = [...verdicts.values()].filter(
      ({ key, record }) =>
        !byKey
          .get(key)!
          .some(({ stated }) =>
            columns.every(
              (column) => record[column] === null || agreeOn(stated[column], record[column], feedPolicy),
            ),
          ),
    )
    expect(mixed.map(({ record }) => record.resource_id)).toEqual([])
  })
})

describe.skipIf(priceDataDir === undefined)(skipTitle('rate cards'), () => {
  test('hide no rate of a source whose base price is the served one, but what contradicts it', () => {
    const hidden = [...verdicts.values()].flatMap(({ key, record, rates, held }) => {
      const served = new Set(rates.map(rateKey))
      return byKey.get(key)!.flatMap(({ source, stated }) => {
        const isBased = (['input_per_mtok', 'output_per_mtok'] as const).every(
          (column) =>
            stated[column] === null ||
            record[column] === null ||
            agreeOn(stated[column], record[column], feedPolicy),
        )
        const isHeld = held.some((one) => one.source === source)
        if (!isBased || isHeld) return []
        return stated.rates.flatMap((rate) =>
          served.has(rateKey(rate)) ? [] : [`${source} ${record.resource_id}`],
        )
      })
    })
    expect(hidden).toEqual([])
  })

  test('have a batch price for 19 of 20 makers’ rows of which a list has one', () => {
    const isBatch = ({ service_tier }: { service_tier: string | null }) => service_tier === 'batch'
    const stated = [...verdicts.values()].filter(
      ({ key, record }) =>
        record.platform === record.vendor &&
        byKey.get(key)!.some((claim) => claim.stated.rates.some(isBatch)),
    )
    const served = stated.filter(({ rates }) => rates.some(isBatch))
    expect(stated.length).toBeGreaterThan(150)
    expect(served.length / stated.length).toBeGreaterThanOrEqual(0.95)
  })
})
