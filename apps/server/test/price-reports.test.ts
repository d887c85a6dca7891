import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteAged } from '../src/database/aged-rows.ts'
import { takeNews, writeReviewMail } from '../src/ingest/review/review-mail.ts'
import {
  noteReport,
  oldReports,
  openReportsMax,
  reportDays,
} from '../src/features/price-reports/report-store.ts'
import type { Schemas } from '../src/http/dashboard/schemas/index.ts'
import { priceRecord, storePrices } from './support/actors.ts'
import { useApi } from './support/api.ts'
import type { Browser } from './support/dashboard-client.ts'
import { signInOwner } from './support/dashboard-owner.ts'
import { useDatabaseClock } from './support/database-clock.ts'
import { useDatabase } from './support/postgres.ts'

// A reader without an account says that a price is wrong, and the operator finds it beside the price.

const database = useDatabase()
const clock = useDatabaseClock(database)
const api = useApi(database, {
  env: { OPERATOR_EMAILS: 'ada@prices.example', TRUSTED_PROXIES: '127.0.0.0/8' },
})
let operator: Browser
let customer: Browser

beforeAll(async () => {
  await storePrices(database.db, [
    priceRecord({ resource_id: 'acme:alpha', product_id: 'acme/alpha', input_per_mtok: '2' }),
    priceRecord({ resource_id: 'zeta:<b>"', product_id: null, vendor: 'zeta' }),
  ])
  operator = await signInOwner(database.db, api.url, { email: 'ada@prices.example' })
  customer = await signInOwner(database.db, api.url)
})
beforeEach(async () => {
  await clock.stand('2026-05-01T12:00:00Z')
  await sql`truncate price_reports, attempts, review_mails`.execute(database.db)
})

const right = {
  price: 'acme:alpha',
  should_be: '$1.80 in',
  source_url: 'https://acme.example/pricing?a=1',
  email: '',
}

async function report(fields: Partial<typeof right> = {}, headers: Record<string, string> = {}) {
  const body = new URLSearchParams({ ...right, ...fields }).toString()
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const response = await fetch(`${api.url}/report`, {
    method: 'POST',
    body,
    headers: { ...type, ...headers },
  })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

async function listed(): Promise<Schemas['PriceReport'][]> {
  const { status, body } = await operator.get('/review/reports')
  expect(status, JSON.stringify(body)).toBe(200)
  return (body as { data: Schemas['PriceReport'][] }).data
}

describe('a report', () => {
  test('is made from the form on the page of a model, and of a price without one', async () => {
    for (const [path, option] of [
      ['/models/acme/alpha', 'value="acme:alpha"'],
      ['/prices/zeta:%3Cb%3E%22', 'value="zeta:&#60;b&#62;&#34;"'],
    ] as const) {
      const page = String((await api.request(path)).body)
      const form = /<form[^>]*action="\/report"[^]*?<\/form>/.exec(page)?.[0] ?? ''
      expect(form).toContain(option)
      expect(form).not.toContain('<b>')
    }
  })

  test('reaches the operator beside the price, and no public page', async () => {
    const { status, text } = await report({
      should_be: ' <b>$1.80</b>\u202e in\n ',
      email: ' Ann@Example.com ',
    })
    expect(status).toBe(200)
    expect(text).toContain('Thank you')
    expect(await listed()).toMatchObject([
      {
        resource_id: 'acme:alpha',
        input_per_mtok: '2',
        should_be: '<b>$1.80</b> in',
        source_url: 'https://acme.example/pricing?a=1',
        email: 'ann@example.com',
        times: 1,
      },
    ])
    for (const path of ['/models/acme/alpha', '/', '/status'])
      expect(String((await api.request(path)).body)).not.toContain('1.80')
    expect((await customer.get('/review/reports')).status).toBe(404)
    expect(await operator.get('/me')).toMatchObject({ body: { data: { operator: { waiting: 1 } } } })
  })

  test('that is equal is counted and not repeated', async () => {
    await report()
    await report({ should_be: '$1.80 IN', email: 'bob@example.com' })
    await report({ should_be: '$1.70 in' })
    expect(await listed()).toMatchObject([
      { should_be: '$1.80 in', times: 2, email: 'bob@example.com' },
      { should_be: '$1.70 in', times: 1 },
    ])
  })

  test('that an operator has closed stays closed, and is forgotten 90 days after it was made', async () => {
    await report()
    const [first] = await listed()
    expect((await operator.send('DELETE', `/review/reports/${first!.id}`)).status).toBe(200)
    expect((await operator.send('DELETE', `/review/reports/${first!.id}`)).status).toBe(404)
    await clock.stand('2026-05-02T12:00:00Z')
    await report()
    expect(await listed()).toEqual([])
    await report({ should_be: 'free' })
    await clock.stand('2026-07-30T12:01:00Z')
    await deleteAged(database.db, oldReports, reportDays)
    expect(await listed()).toMatchObject([{ should_be: 'free' }])
    await clock.stand('2026-07-31T12:01:00Z')
    await deleteAged(database.db, oldReports, reportDays)
    expect(await listed()).toEqual([])
  })

  test.each([
    ['a price that is not there', { price: 'acme:omega' }, 'no such price'],
    ['no word of what is right', { should_be: ' \n' }, 'what the price should be'],
    ['no link', { source_url: '' }, 'must begin with https://'],
    ['a link that runs', { source_url: 'javascript:alert(1)' }, 'must begin with https://'],
    ['a link with a password', { source_url: 'https://a:b@acme.example/' }, 'must begin with https://'],
    ['a link without end', { source_url: `https://acme.example/${'a'.repeat(500)}` }, 'https://'],
    ['two addresses', { email: 'ann@example.com,bob@example.com' }, 'no email address'],
  ])('is refused with %s', async (_what, fields, sentence) => {
    const { status, text } = await report(fields)
    expect([status, text]).toEqual([400, expect.stringContaining(sentence)])
    expect(await listed()).toEqual([])
  })

  test('that is refused leads back to its model, and keeps what was typed', async () => {
    const typed = { should_be: '$1.80 "in"', source_url: 'acme.example', email: 'ann@example.com' }
    const { text } = await report(typed)
    const fields = [...text.matchAll(/name="(\w+)"\s+value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ])
    expect(Object.fromEntries(fields)).toEqual({ ...typed, should_be: '$1.80 &#34;in&#34;' })
    expect(text).toMatch(/<option value="acme:alpha">/)
    expect(text).toMatch(/<a href="\/models\/acme\/alpha">Back to /)
    expect(text).not.toContain('All changes')
    expect((await report({ email: 'nobody' })).text).toContain('Back to ')
    expect((await report({ price: 'acme:omega' })).text).toContain('All changes')
    expect((await report(typed, { 'Sec-Fetch-Site': 'cross-site' })).text).not.toContain('ann@example.com')
  })

  test('is refused from forms of other sites and with a large body; a long text is cut', async () => {
    expect((await report({}, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
    expect((await report({ should_be: 'a'.repeat(10_000) })).status).toBe(413)
    await report({ should_be: 'a'.repeat(300) })
    expect((await listed())[0]!.should_be).toHaveLength(200)
  })
})

describe('what strangers can fill', () => {
  const from = (network: number) => ({ 'X-Forwarded-For': `10.${network}.0.1` })

  test('has a pace for a network', async () => {
    for (let n = 0; n < 5; n++) expect((await report({}, from(1))).status).toBe(200)
    const refused = await report({}, from(1))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(3_000)
    expect((await report({}, from(2))).status).toBe(200)
  })

  test('has an end for a price, also when all come at once; an equal report is counted still', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => report({ should_be: `$${n}` }, from(n))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
    const [known] = await listed()
    expect((await report({ should_be: known!.should_be }, from(20))).status).toBe(200)
    expect((await report({ price: 'zeta:<b>"' }, from(21))).status).toBe(200)
  })

  test('has an end in all', async () => {
    const note = (n: number) =>
      database.db.transaction().execute(
        (trx) =>
        noteReport(trx, { resource_id: `acme:${n}`, should_be: 'free', source_url: 'https://a.example/', email: null }), // prettier-ignore
      )
    for (let n = 0; n < openReportsMax; n++) expect(await note(n)).toBe(true)
    expect(await note(openReportsMax)).toBe(false)
    expect(await note(1)).toBe(true)
    expect((await report()).status).toBe(429)
    expect(await listed()).toHaveLength(openReportsMax)
  })
})

test('operators are mailed that there are reports, once, and nothing that a stranger wrote', async () => {
  const news = () => database.db.transaction().execute(takeNews)
  expect(await news()).toBeNull()
  await report({ should_be: 'buy now' })
  expect(await news()).toMatchObject({ holds: 0 })
  const mail = await writeReviewMail(database.db, { email: 'ada@prices.example', dashboardUrl: 'https://x.example', now: new Date() }) // prettier-ignore
  expect(mail?.subject).toBe('Ratecard: readers reported 1 price')
  expect(mail?.text).not.toContain('buy now')
  await clock.stand('2026-05-03T12:00:00Z')
  expect(await news()).toBeNull()
})
