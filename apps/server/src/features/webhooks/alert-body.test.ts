import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { AlertedChange, ChangeAlert } from '@ratecard/contract'
import {
  alertBytesMax,
  alertedChange,
  alertText,
  changesMax,
  splitIntoAlerts,
} from '@ratecard/contract/alert'
import { createBodyCheck } from './alert-schema.ts'

const publicUrl = 'https://ratecard.example'
const now = new Date('2026-01-02T03:04:05.678Z')
const contract = new URL('../../../../../openapi.yaml', import.meta.url)
const checkBody = createBodyCheck(parse(readFileSync(contract, 'utf8')) as object)
const check = (body: unknown) => checkBody('change.alert', body)

function change(values: Partial<AlertedChange> = {}): AlertedChange {
  const fields = {
    id: 'chg_1',
    vendor: 'acme',
    product: 'acme/alpha',
    category: 'price_cut',
    title: 'Alpha is cheaper',
    summary: 'Input tokens fall.',
    severity: 3,
    ...values,
  }
  return alertedChange(fields, publicUrl)
}

const sent = (changes: readonly AlertedChange[]) =>
  Buffer.from(alertText('change.alert', JSON.stringify(changes), now))

describe('splitting changes into alerts', () => {
  test.each([
    [0, []],
    [1, [1]],
    [100, [100]],
    [101, [100, 1]],
    [227, [100, 100, 27]],
  ])('%i changes make alerts of %j', (count, sizes) => {
    const changes = Array.from({ length: count }, (_, index) => change({ id: `chg_${index}` }))
    const alerts = splitIntoAlerts(changes)
    expect(alerts.map((alert) => alert.length)).toEqual(sizes)
    expect(alerts.flat()).toEqual(changes)
  })

  test('of any content: no body is beyond 256 KiB or 100 changes, none is dropped, the order is kept', () => {
    // What takes the most bytes: six for a control character, four for an emoji.
    const heavy = fc.constantFrom('\u0001', '\u2028', '😀', '€', '"', '\\', 'a', '\ud800')
    const text = (max: number) =>
      fc.tuple(heavy, fc.integer({ min: 1, max })).map(([unit, length]) => unit.repeat(length).slice(0, max))
    const any = fc.record({
      vendor: text(256),
      product: text(256),
      category: text(64),
      title: text(200),
      summary: text(4_000),
      severity: fc.integer({ min: 1, max: 5 }),
    })
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 250, size: 'max' }), (values) => {
        const changes = values.map((fields, index) => change({ ...fields, id: `chg_${index}` }))
        const alerts = splitIntoAlerts(changes)
        for (const alert of alerts) {
          expect(alert.length).toBeGreaterThan(0)
          expect(alert.length).toBeLessThanOrEqual(changesMax)
          expect(sent(alert).byteLength).toBeLessThanOrEqual(alertBytesMax)
        }
        expect(alerts.flat()).toEqual(changes)
        // And none is cut before it is full.
        for (const [index, alert] of alerts.entries()) {
          const next = alerts[index + 1]?.[0]
          if (next && alert.length < changesMax)
            expect(sent([...alert, next]).byteLength).toBeGreaterThan(alertBytesMax - 128)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('the heaviest change there can be fits an alert of its own', () => {
    const heaviest = change({
      id: 'x'.repeat(128),
      vendor: '\u0001'.repeat(256),
      product: '\u0001'.repeat(256),
      category: '\u0001'.repeat(64),
      title: '\u0001'.repeat(200),
      summary: '\u0001'.repeat(4_000),
    })
    expect(sent([heaviest]).byteLength).toBeLessThan(alertBytesMax / 4)
  })
})

describe('the body', () => {
  test('is what the contract says, with the time of the attempt and the page of each change', () => {
    const body = JSON.parse(sent([change({ id: 'a:b.c_d-e' })]).toString()) as ChangeAlert
    expect(check(body)).toBeNull()
    expect(body).toEqual({
      event: 'change.alert',
      timestamp: '2026-01-02T03:04:05.678000Z',
      changes: [
        {
          id: 'a:b.c_d-e',
          vendor: 'acme',
          product: 'acme/alpha',
          category: 'price_cut',
          title: 'Alpha is cheaper',
          summary: 'Input tokens fall.',
          severity: 3,
          url: 'https://ratecard.example/changes/a%3Ab.c_d-e',
        },
      ],
    })
  })

  test('has nothing of a change but what is alerted', () => {
    const whole = { ...change(), impact_score: 40, diff_before: '{}' }
    expect(Object.keys(alertedChange(whole, publicUrl))).toEqual(Object.keys(change()))
  })

  test('is refused by the check when it is anything else', () => {
    const body = JSON.parse(sent([change()]).toString()) as ChangeAlert
    expect(check({ ...body, event: 'change.test' })).toMatch(/event/)
    expect(check({ ...body, changes: [{ ...change(), url: undefined }] })).toMatch(/url/)
    expect(check({ ...body, timestamp: 'now' })).toMatch(/timestamp/)
  })
})
