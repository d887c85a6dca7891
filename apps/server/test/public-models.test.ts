import { createHash, createPublicKey } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeExports } from '../src/exports/make-exports.ts'
import { createSigner } from '../src/exports/signature.ts'
import { writePrices } from '../src/catalog/write-prices.ts'
import { priceRecord } from './support/actors.ts'
import { useApi } from './support/api.ts'
import { changeFile, publish } from './support/fixtures.ts'
import { createFeeder, litellmFile, manyModels } from './support/feed-runs.ts'
import { useDatabase } from './support/postgres.ts'

// What the public pages say of time: since when a price is so, what has retired, and whose prices stand for a model.

const database = useDatabase()
const api = useApi(database)

const today = new Date().toISOString().slice(0, 10)
const record = (resource_id: string, product: string, values = {}) =>
  priceRecord({ resource_id, product_id: product, vendor: product.split('/')[0]!, ...values })

async function write(observedAt: string, records: readonly ReturnType<typeof record>[]) {
  const writes = records.map((each) => ({ record: each, source: 'test', rates: [] }))
  await database.db.transaction().execute((trx) => writePrices(trx, writes, { runId: null, observedAt }))
}

async function retire(resourceId: string, day: string) {
  await database.db
    .insertInto('price_standings')
    .values({
      ...{ resource_key: resourceId, resource_id: resourceId, source: 'test', rule: 'alone' },
      ...{ is_confirmed: false, evidence: '{}', rate_evidence: '{}', retires_on: day },
    })
    .execute()
}

const read = async (path: string) => (await api.request(path)).body as string
const words = (html: string) =>
  html
    .replaceAll(/<style>.*?<\/style>|<[^>]*>/gs, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

const platform = (name: string) => ({ platform: name })

beforeAll(async () => {
  await write('2026-03-01T00:00:00Z', [
    record('acme:still', 'acme/still', { input_per_mtok: '1', output_per_mtok: '2' }),
    record('acme:moved', 'acme/moved', { input_per_mtok: '1', output_per_mtok: '2' }),
    record('acme:told', 'acme/told', { input_per_mtok: '3', output_per_mtok: '6' }),
    record('acme:dated', 'acme/dated', { effective_at: '2025-04-14' }),
    record('acme:old', 'acme/old', { input_per_mtok: '1', output_per_mtok: '2' }),
    record('acme:ending', 'acme/ending'),
    priceRecord({ resource_id: 'acme:zz-unnamed', product_id: null, vendor: 'acme' }),
    record('host:open-9', 'acme/open-9', { ...platform('host'), input_per_mtok: '4', output_per_mtok: '4' }),
    record('cheap:open-9', 'acme/open-9', {
      ...platform('cheap'),
      input_per_mtok: '1',
      output_per_mtok: '1',
    }),
    record('mid:open-9', 'acme/open-9', { ...platform('mid'), input_per_mtok: '2', output_per_mtok: '2' }),
    record('gift:open-9', 'acme/open-9', { ...platform('gift'), input_per_mtok: '0', output_per_mtok: '0' }),
    record('acme:open-9', 'acme/open-9', { input_per_mtok: null, output_per_mtok: null }),
  ])
  await write('2026-05-01T00:00:00Z', [
    record('acme:moved', 'acme/moved', { input_per_mtok: '0.5', output_per_mtok: '2' }),
    // Another address of the source is no move of the price.
    record('acme:still', 'acme/still', {
      input_per_mtok: '1',
      output_per_mtok: '2',
      source_url: 'https://acme.example/new',
    }),
  ])
  await retire('acme:old', '2026-05-25')
  await retire('acme:ending', '2999-05-25')
  await publish(
    database.db,
    changeFile({
      product: 'acme/told',
      vendor: 'acme',
      effective_time: '2026-02-10',
      diff_before: '{"acme:told":{"input_per_mtok":5}}',
      diff_after: '{"acme:told":{"input_per_mtok":3}}',
    }),
  )
})

describe('the day of a price', () => {
  test.each([
    ['still', 'price first seen 2026-03-01'],
    ['moved', 'price changed 2026-05-01'],
    ['told', 'price since 2026-02-10'],
    ['dated', 'price since 2025-04-14'],
  ])('of %s: %s', async (name, said) => {
    const page = words(await read(`/models/acme/${name}`))
    expect(page).toContain(said)
    const compared = words(await read(`/compare?models=acme/${name}`))
    expect(compared).toContain(said.replace('price ', ''))
    // The day on which it was stored is no news of the price.
    expect(page).not.toContain(`changed ${today}`)
    expect(page).not.toContain('last moved')
  })

  test('is in the list of a platform, too', async () => {
    const list = words(await read('/platforms/acme'))
    for (const said of ['first seen 2026-03-01', 'changed 2026-05-01', '2026-02-10', '2025-04-14'])
      expect(list).toContain(said)
  })
})

test('a published change from before we began tracking is a step of the chart', async () => {
  const page = await read('/models/acme/told')
  const chart = /<svg class="chart".*?<\/svg>/s.exec(page)?.[0]
  expect(chart).toContain('aria-label="Since 2026-02-10: $3.00 Acme"')
  // From $5 down to $3, upright, on its day.
  expect(chart).toMatch(/d="M44\.0 10\.0H44\.0V72\.4H/)
  expect(words(page)).not.toContain('No token price changes')
})

describe('what has retired', () => {
  test('is past, stands last, and is in no calculation', async () => {
    const page = words(await read('/models/acme/old'))
    expect(page).toContain('It retired on 2026-05-25.')
    expect(page).not.toContain('Monthly cost')
    const list = await read('/models')
    const order = [...list.matchAll(/title="(acme[/:][\w-]+)"/g)].map(([, id]) => id)
    expect(order).toContain('acme:zz-unnamed')
    expect(order.at(-1)).toBe('acme/old')
    const ofPlatform = words(await read('/platforms/acme'))
    expect(ofPlatform.indexOf('acme:old')).toBeGreaterThan(ofPlatform.indexOf('acme:zz-unnamed'))
    expect(words(list)).toContain('retired on 2026-05-25')
  })

  test('is not yet, before its day', async () => {
    const page = words(await read('/models/acme/ending'))
    expect(page).toContain('It retires on 2999-05-25.')
    expect(page).toContain('Monthly cost')
  })
})

test('a model that its maker does not sell has the median of the others, and what is free is no price of it', async () => {
  const page = words(await read('/models/acme/open-9'))
  expect(page).toContain(
    'These are the median of 3 prices elsewhere; the cheapest is Cheap at $1.00 in, $1.00 out',
  )
  expect(page).toMatch(/Input, median \$2\.00/)
  expect(page).toMatch(/Monthly cost.*Cheap .*Mid .*Host .*Gift/)
  expect(words(await read('/compare?models=acme/open-9'))).toContain('$1.00 on Cheap')
  expect(words(await read('/models'))).toMatch(/Open 9 median.*5 platforms, from \$1\.00/)
})

test('the list sorts by each column, both ways, and what is unknown comes last', async () => {
  const order = async (sort: string) =>
    [...(await read(`/models?sort=${sort}`)).matchAll(/title="acme\/([\w-]+)"/g)].map(([, id]) => id)
  expect((await order('input'))[0]).toBe('dated')
  expect((await order('-input'))[0]).toBe('told')
  expect((await order('-platforms'))[0]).toBe('open-9')
  expect(await order('model')).toEqual((await order('-model')).toReversed())
  expect(await order('nonsense')).toEqual(await order(''))
})

test.each([
  ['/models/ACME/Still', '/models/acme/still'],
  ['/models/acme/open%209', '/models/acme/open-9'],
  ['/models/still', '/models/acme/still'],
  ['/models/Acme', '/vendors/acme'],
  ['/models/acme/still/', '/models/acme/still'],
  ['/models/?q=still', '/models?q=still'],
  ['/feed', '/changes.atom'],
])('%s leads to %s', async (guessed, path) => {
  const answer = await fetch(api.url + guessed, { redirect: 'manual' })
  expect(answer.status).toBe(301)
  expect(answer.headers.get('location')).toBe(path)
})

test('an address that means nothing names what is near', async () => {
  const answer = await api.request('/models/acme/stil-7')
  expect(answer.status).toBe(404)
  expect(answer.body).toContain('href="/models/acme/still"')
})

test('no page speaks as a program does', async () => {
  for (const path of [
    '/',
    '/models',
    '/models/acme/still',
    '/changes',
    '/compare',
    '/plans',
    '/status',
    '/nothing',
  ]) {
    const html = await fetch(api.url + path, { headers: { accept: 'text/html' } }).then((answer) =>
      answer.text(),
    )
    const prose = words(html.replaceAll(/<(code|pre|script|style)\b.*?<\/\1>/gs, ' '))
    expect(prose, path).not.toMatch(
      /\b(format|read|list|count|find|build|name|describe|render)[A-Z]\w+|undefined|\[object|NaN/,
    )
  }
})

describe('two models side by side', () => {
  test('have one address, whichever comes first, and a sentence', async () => {
    const turned = await fetch(`${api.url}/compare/acme/told-vs-acme/moved`, { redirect: 'manual' })
    expect(turned.headers.get('location')).toBe('/compare/acme/moved-vs-acme/told')
    const page = words(await read('/compare/acme/moved-vs-acme/told'))
    // (3 × 0.5 + 2) / 4 and (3 × 3 + 6) / 4
    expect(page).toContain('Moved is 77 % cheaper than Told for three parts input to one part output')
    expect(page).toContain('History')
    // What a published change says of Told stands in its line, too.
    expect(await read('/compare/acme/moved-vs-acme/told')).toMatch(/<path class="s\d told"/)
    const picture = await fetch(`${api.url}/pictures/compare/acme/moved-vs-acme/told.png`)
    expect(picture.headers.get('content-type')).toBe('image/png')
  })

  test.each(['acme/moved-vs-acme/moved', 'acme/moved-vs-nothing-like-it', '-vs-', '%-vs-%E0'])(
    '%s is none',
    async (pair) => {
      expect(
        (await fetch(`${api.url}/compare/${pair}`, { redirect: 'manual' })).status,
      ).toBeGreaterThanOrEqual(400)
    },
  )
})

test('/data names each file that there is, and leads to it', async () => {
  await makeExports(database.db, createSigner('secret'))
  const page = await read('/data')
  expect(words(page)).toContain('12 prices of 8 models')
  const files = [...page.matchAll(/href="(\/exports\/[^"]+|\/snapshot[^"]+)"/g)].map(([, path]) => path!)
  expect(files.length).toBeGreaterThan(20)
  for (const name of ['prices.csv', 'prices.parquet', 'prices.sqlite']) {
    expect(files).toContain(`/exports/${name}`)
    expect(page).toMatch(new RegExp(`"contentUrl":"[^"]*/exports/${name}"`))
    expect(words(page)).toMatch(new RegExp(`${name} , \\d+ kB, last changed 2`))
  }
  for (const path of files) expect((await fetch(api.url + path)).status, path).toBe(200)
})

test('/data shows the key by which the files are signed, with its fingerprint', async () => {
  const { publicKey } = createSigner('secret')
  const page = await read('/data')
  expect(page).toContain(publicKey.trimEnd())
  const der = createPublicKey(publicKey).export({ type: 'spki', format: 'der' })
  expect(page).toContain(createHash('sha256').update(der).digest('hex'))
})

test('/data says under which licence each source publishes whose rows are in the files', async () => {
  const feed = createFeeder(() => database.db)
  expect(await read('/data')).not.toContain('id="licences"')
  await feed('2026-03-05T00:00:00Z', litellmFile(manyModels(2)))
  const agreement = async () => /<td[^>]*data-label="Agreed">([^<]*)/.exec(await read('/status'))?.[1]?.trim()
  await expect.poll(agreement, { message: 'of a list alone' }).toBe('one list')
  const own = 'resource_id,currency,input_per_mtok\nacme:mine,USD,3\n'
  await feed('2026-03-05T00:00:01Z', own, { source: 'own-csv' })
  const table = async () => /<h2 id="licences">[^]*?<\/table>/.exec(await read('/data'))?.[0] ?? ''
  await expect
    .poll(async () => words(await table()))
    .toMatch(/LiteLLM MIT https:\S+\.json the operator \(CSV\) none stated not published$/)
  expect(await table()).toContain('href="https://spdx.org/licenses/MIT.html"')
  await expect.poll(agreement).not.toBe('one list')
})

describe('the changes of a week', () => {
  test('are those whose day is in it', async () => {
    const page = words(await read('/changes/2026-w07'))
    expect(page).toContain('AI model prices in the week of 2026-02-09')
    expect(page).toMatch(/1 price (cut|rise)\./)
    expect(words(await read('/changes/2026-w08'))).toContain('No prices moved.')
    expect(await read('/changes')).toMatch(/href="\/changes\/\d{4}-w\d{2}">This week/)
  })

  // 2020 has 53 weeks, 2024 has 52.
  test.each([
    ['9999-w01', 404],
    ['2024-w53', 404],
    ['2026-w00', 404],
    ['2020-w53', 200],
    ['1999-w01', 404],
    ['2026-w7', 404],
  ])('%s answers %i', async (week, status) => {
    expect((await api.request(`/changes/${week}`)).status).toBe(status)
  })
})

test('the page that a test alert links to says what it was', async () => {
  const { status, body } = await api.request('/changes/test_abc')
  expect(status).toBe(200)
  expect(body).toContain('no price has changed')
  expect(body).toContain('noindex')
})

test('a maker has one mark wherever its models stand, and one that no source names has none of its own', async () => {
  const marks = async (path: string) =>
    new Set([...(await read(path)).matchAll(/<span class="mk (s\d)" data-mark="([^"]+)"/g)].map(([, colour, text]) => `${colour} ${text}`)) // prettier-ignore
  const [mark] = await marks('/models/acme/moved')
  expect(mark).toMatch(/^s[0-5] Ac$/)
  expect(await marks('/vendors/acme')).toEqual(new Set([mark]))
  const nobodys = priceRecord({ resource_id: 'host:nobodys', product_id: null, vendor: 'unknown', platform: 'host' }) // prettier-ignore
  await write('2026-03-01T00:00:00Z', [nobodys])
  await expect.poll(() => read('/prices/host:nobodys')).toContain('maker not stated')
  expect(words(await read('/prices/host:nobodys'))).not.toMatch(/unknown by|by unknown|by not stated/i)
  expect([...(await marks('/prices/host:nobodys'))][0]).toMatch(/ \?$/)
})

test('of the pairs that are offered for comparing none has a model of another', async () => {
  const makers = ['north', 'east', 'south', 'west']
  const sold = makers.map((maker) => record(`${maker}:one`, `${maker}/one`, platform(maker)))
  await write('2026-03-01T00:00:00Z', sold)
  const offered = async () => {
    const [, list] = (await read('/compare')).split('Start with a pair')
    return [...(list ?? '').matchAll(/href="\/compare\/([^"]+)-vs-([^"]+)"/g)].flatMap(([, ...pair]) => pair)
  }
  await expect.poll(async () => (await offered()).includes('west/one')).toBe(true)
  const models = await offered()
  expect(models.length).toBeGreaterThanOrEqual(4)
  expect(new Set(models).size).toBe(models.length)
}) // prettier-ignore
