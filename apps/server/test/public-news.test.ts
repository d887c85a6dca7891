import ICAL from 'ical.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { writePrices } from '../src/catalog/write-prices.ts'
import { priceRecord } from './support/actors.ts'
import { useApi } from './support/api.ts'
import { changeFile, publish } from './support/fixtures.ts'
import { useDatabase } from './support/postgres.ts'

// What the public pages tell of changes: the list, and the feeds.

const database = useDatabase()
const api = useApi(database, { env: { PUBLIC_URL: 'https://prices.example' } })

const read = async (path: string) => (await api.request(path)).body as string
const words = (html: string) =>
  html
    .replaceAll(/<style>.*?<\/style>|<[^>]*>/gs, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

const step = (before: object, after: object, row = 'acme:alpha') => ({
  diff_before: JSON.stringify({ [row]: before }),
  diff_after: JSON.stringify({ [row]: after }),
})

/** Of signs that mean something in a calendar, and longer than its lines. */
const longName = `ö${'ä;x\\y'.repeat(20)}`
const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** As a program of calendars reads them. */
function readEvents(text: string) {
  const events = new ICAL.Component(ICAL.parse(text) as unknown[]).getAllSubcomponents('vevent')
  return events.map((each) => {
    const { uid, summary, startDate } = new ICAL.Event(each)
    return { uid, summary, day: startDate.toString(), url: each.getFirstPropertyValue('url') }
  })
}

async function sell(resource_id: string, product_id: string, platform: string, retires_on: string) {
  const record = priceRecord({ resource_id, product_id, platform, vendor: 'zeta' })
  const write = { record, source: 'test', rates: [] }
  await database.db
    .transaction()
    .execute((trx) => writePrices(trx, [write], { runId: null, observedAt: '2026-03-01T00:00:00Z' }))
  await database.db
    .insertInto('price_standings')
    .values({
      ...{ resource_key: resource_id, resource_id, source: 'test', rule: 'alone' },
      ...{ is_confirmed: false, evidence: '{}', rate_evidence: '{}', retires_on },
    })
    .execute()
}

beforeAll(async () => {
  await sell('zeta:one', 'zeta/one', 'zeta', '2999-01-01')
  await sell('zeta:past', 'zeta/past', 'zeta', '2026-01-01')
  await sell('zeta:long', `zeta/${longName}`, 'zeta, ü', '2998-02-03')
  await publish(
    database.db,
    changeFile({ title: 'The old cut', effective_time: '2026-02-10', ...step({ input_per_mtok: 5, cached_input_per_mtok: 5 }, { input_per_mtok: 4, cached_input_per_mtok: 1 }) }),
    changeFile({ title: 'The new cut ($4 → $1 in)', effective_time: '2026-04-02', ...step({ input_per_mtok: 4 }, { input_per_mtok: 1 }) }),
    changeFile({ title: 'The rise', category: 'price_rise', effective_time: '2026-02-20', ...step({ output_per_mtok: 4 }, { output_per_mtok: 6 }, 'zeta:past') }),
    changeFile({ title: 'A mended record', category: 'correction', severity: 3, effective_time: '2026-04-03' }),
    changeFile({ title: 'The end', category: 'deprecation', vendor: 'zeta', product: 'zeta/one', effective_time: '2999-01-01' }),
  ) // prettier-ignore
})

describe('the list of changes', () => {
  test('stands under the months of their days, what is to come first', async () => {
    const page = words(await read('/changes'))
    const order = [
      'Announced',
      'The end',
      'April 2026',
      'The new cut',
      'February 2026',
      'The rise',
      'The old cut',
    ]
    const places = order.map((text) => page.indexOf(text))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  test('on the home page has what is to come apart from the latest, the newest first', async () => {
    expect(words(await read('/'))).toMatch(
      /Announced .*The end .*Latest changes .*The new cut .*The rise .*The old cut/,
    )
  })

  test('says how far a price moved in signs, and its figures where the title does not', async () => {
    const page = words(await read('/changes'))
    expect(page).toContain('▼ Price cut −75 %')
    expect(page).toContain('▲ Price rise +50 %')
    expect(page, 'not of cached input').toContain('▼ Price cut −20 %')
    expect(page).toContain('Output $4.00 → $6.00 (+50 %)')
    expect(page, 'in no currency that is known').toContain('Input 5 → 4 (−20 %)')
    expect(page).not.toContain('Input 4 → 1')
  })

  test('has corrections where they are asked for', async () => {
    expect(await read('/changes')).not.toContain('A mended record')
    expect(await read('/')).toContain('The new cut')
    for (const path of ['/', '/changes.atom']) expect(await read(path)).not.toContain('A mended record')
    for (const query of ['corrections=1', 'category=correction'])
      expect(await read(`/changes?${query}`)).toContain('A mended record')
  })
})

describe('the feeds', () => {
  test.each(['', '?vendor=zeta', '?product=zeta%2Fone'])('are told of by the page %s', async (query) => {
    const page = await read(`/changes${query}`)
    for (const [form, type] of [
      ['atom', 'application/atom+xml'],
      ['json', 'application/feed+json'],
      ['ics', 'text/calendar'],
    ])
      // prettier-ignore
      expect(page).toContain(
        `<link rel="alternate" type="${type}" title="Changes" href="/changes.${form}${query}" />`,
      )
  })

  test('as JSON Feed 1.1, with an address of its own', async () => {
    const answer = await api.request('/changes.json?vendor=zeta')
    expect(answer.headers.get('content-type')).toBe('application/feed+json; charset=utf-8')
    const feed = JSON.parse(String(answer.body)) as { items: object[] }
    expect(feed).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Ratecard: price changes of Zeta',
      home_page_url: 'https://prices.example/changes?vendor=zeta',
      feed_url: 'https://prices.example/changes.json?vendor=zeta',
      items: [{ title: 'The end', tags: ['deprecation', 'zeta', 'zeta/one'] }],
    })
    expect(feed.items).toHaveLength(1)
    const all = JSON.parse(await read('/changes.json')) as { items: { title: string }[] }
    expect(all.items.map(({ title }) => title)).not.toContain('A mended record')
  })

  test('as Atom says where it is, by what it is asked for', async () => {
    const feed = await read('/changes.atom?vendor=zeta')
    expect(feed).toContain(
      '<link rel="self" type="application/atom+xml" href="https://prices.example/changes.atom?vendor=zeta"/>',
    )
    expect(feed).toContain('<title>Ratecard: price changes of Zeta</title>')
  })

  test('as a calendar have what is to come, and nothing of what is past', async () => {
    const answer = await api.request('/changes.ics')
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    const text = String(answer.body)
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    const events = readEvents(text)
    expect(events.map(({ day, summary }) => `${day} ${summary}`)).toEqual([
      `2998-02-03 ${capital(longName)} retires from Zeta, Ü`,
      '2999-01-01 One retires from Zeta',
    ])
    expect(events[1]!.url).toBe('https://prices.example/models/zeta/one')
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(2)
    const [ofOne] = readEvents(await read('/changes.ics?product=zeta%2Fone'))
    expect(ofOne).toEqual(events[1])
    expect(readEvents(await read('/changes.ics?vendor=acme'))).toEqual([])
  })

  test('are kept as long as nothing moves', async () => {
    for (const form of ['atom', 'json', 'ics']) {
      const { headers } = await api.request(`/changes.${form}`)
      expect(headers.get('cache-control')).toContain('max-age=60')
      const again = await api.request(`/changes.${form}`, {
        headers: { 'If-None-Match': headers.get('etag')! },
      })
      expect(again.status).toBe(304)
    }
  })
})

describe('the badge of a model', () => {
  test('shows its name and price, on pages of others, and is kept', async () => {
    const { status, headers, body } = await api.request('/badge/zeta/one.svg')
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8'])
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(headers.get('cache-control')).toContain('public, max-age=60')
    expect(body).toContain('<title>One: $')
    const page = await read('/models/zeta/one')
    expect(page).toContain(
      '[![One price](https://prices.example/badge/zeta/one.svg)](https://prices.example/models/zeta/one)',
    )
  })

  test('of a model that is not there says so, in a picture, and writes nothing of the address into it', async () => {
    const { status, body } = await api.request(`/badge/zeta/${encodeURIComponent('<script>')}.svg`)
    expect(status).toBe(404)
    expect(body).toContain('no such model')
    expect(body).not.toContain('script')
  })
})
