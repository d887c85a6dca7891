import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { PriceRecord } from '../src/catalog/price-record.ts'
import { rateKey, type Rate } from '../src/catalog/rate-card.ts'
import { writePrices } from '../src/catalog/write-prices.ts'
import { priceRecord } from './support/actors.ts'
import { useApi } from './support/api.ts'
import { rate } from './support/drafts.ts'
import { changeFile, publish } from './support/fixtures.ts'
import { useDatabase } from './support/postgres.ts'
import { send } from './support/raw-http.ts'

const database = useDatabase()
const api = useApi(database, { env: { PUBLIC_URL: 'https://prices.example/' } })
const away = useApi(database, { databaseUrl: () => 'postgres://nobody@127.0.0.1:1/nothing' })

const hostile = `x"><script>alert(1)</script><img src=x onerror='alert(2)'>`

/** Records with everything that a card can have. */
const written: { record: PriceRecord; rates: Rate[] }[] = [
  {
    record: priceRecord({
      resource_id: 'deepseek:deepseek-chat',
      product_id: 'deepseek/deepseek-chat',
      vendor: 'deepseek',
      platform: 'deepseek',
      input_per_mtok: '0.27',
      output_per_mtok: '1.1',
      cached_input_per_mtok: '0.07',
    }),
    rates: [
      rate({ hours: '16:30-00:30', amount: '0.135' }),
      rate({ meter: 'output_tokens', hours: '16:30-00:30', amount: '0.55' }),
    ],
  },
  {
    record: priceRecord({
      resource_id: 'google:gemini-2.5-pro',
      product_id: 'google/gemini-2.5-pro',
      vendor: 'google',
      platform: 'google',
      input_per_mtok: '1.25',
      output_per_mtok: '10',
      cached_input_per_mtok: '0.125',
    }),
    rates: [
      rate({ threshold: 200_000, amount: '2.5' }),
      rate({ meter: 'output_tokens', threshold: 200_000, amount: '15' }),
      rate({ service_tier: 'batch', amount: '0.625' }),
      rate({ meter: 'output_tokens', service_tier: 'batch', amount: '5' }),
      rate({ meter: 'searches', unit: 'query', amount: '0.035' }),
    ],
  },
  {
    record: priceRecord({
      resource_id: 'bedrock:eu:eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
      product_id: 'anthropic/claude-sonnet-4-5',
      vendor: 'anthropic',
      platform: 'bedrock',
      region: 'eu',
      input_per_mtok: '3.3',
      output_per_mtok: '16.5',
    }),
    rates: [
      rate({ meter: 'cache_write_tokens', amount: '4.125' }),
      rate({ meter: 'cache_write_tokens', variant: '1h', amount: '6.6' }),
      rate({ meter: 'price_multiplier', unit: 'multiplier', variant: 'eu', amount: '1.1' }),
    ],
  },
  {
    record: priceRecord({
      resource_id: 'anthropic:claude-sonnet-4-5',
      product_id: 'anthropic/claude-sonnet-4-5',
      vendor: 'anthropic',
      platform: 'anthropic',
      input_per_mtok: '3',
      output_per_mtok: '15',
    }),
    rates: [],
  },
  {
    record: priceRecord({
      resource_id: 'openai:gpt-4o',
      product_id: 'openai/gpt-4o',
      vendor: 'openai',
      platform: 'openai',
      input_per_mtok: '2.5',
      output_per_mtok: '10',
    }),
    rates: [],
  },
  {
    record: priceRecord({
      resource_id: `acme:${hostile}`,
      product_id: `${hostile}/${hostile}`,
      vendor: hostile,
      platform: hostile,
      region: hostile,
      unit: hostile,
      source_url: null,
    }),
    rates: [rate({ meter: hostile, unit: hostile, variant: hostile, service_tier: hostile, hours: hostile })],
  },
  {
    record: priceRecord({
      resource_id: 'acme:loose',
      product_id: null,
      input_per_mtok: '0',
      output_per_mtok: null,
    }),
    rates: [],
  },
]

beforeAll(async () => {
  const writes = written.map(({ record, rates }) => ({ record, rates, source: 'test' }))
  await database.db
    .transaction()
    .execute((trx) => writePrices(trx, writes, { runId: null, observedAt: '2026-01-01T00:00:00.000000Z' }))
  await sql`
    insert into scheduled_prices (source, resource_id, starts_on, amounts, learned_at)
    values ('test', 'google:gemini-2.5-pro', (ratecard_now() + interval '40 days')::date,
      '{"input_per_mtok": "2.75", "output_per_mtok": "10"}', ratecard_now())`.execute(database.db)
  await publish(
    database.db,
    changeFile({
      vendor: 'google',
      product: 'google/gemini-2.5-pro',
      title: 'Gemini moves',
      diff_before: '{"secret":"detail"}',
      alternatives: [],
    }),
    changeFile({ vendor: hostile, product: hostile, title: hostile }),
  )
})

const text = async (path: string) => (await api.request(path)).body as string
const pathOf = (...parts: string[]) => parts.map((part) => `/${encodeURIComponent(part)}`).join('')
/** What is on the page, without its elements. */
const words = (html: string) =>
  html
    .replaceAll(/<(script|style)[^>]*>.*?<\/\1>/gs, ' ')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/\s+/g, ' ')

describe('each page', () => {
  test.each([
    ['/', 'AI model prices you can build on', '/'],
    ['/models', 'Prices of all AI models', '/models'],
    ['/models/openai/gpt-4o', 'GPT-4o price: $2.50 in, $10.00 out per 1M tokens', '/models/openai/gpt-4o'],
    ['/vendors/google', 'Google: prices of 1 model', '/vendors/google'],
    ['/platforms/bedrock', 'Amazon Bedrock: prices of 1 model', '/platforms/bedrock'],
    ['/compare', 'Compare AI model prices', '/compare'],
    ['/calculator', 'Cost calculator for AI models', '/calculator'],
    ['/calculator?model=gpt4o', 'Cost calculator: GPT-4o', '/models/openai/gpt-4o'],
    ['/changes', 'AI model price changes', '/changes'],
    ['/plans', 'Plans', '/plans'],
    ['/status', 'Data status', '/status'],
    ['/prices/acme:loose', 'Loose price: free', null],
    ['/models?q=gpt4o', 'gpt4o: prices', null],
  ])(
    '%s has its title, its canonical address, and a copy that is asked for again',
    async (path, title, canonical) => {
      const answer = await api.request(path)
      const html = answer.body as string
      expect(answer.status).toBe(200)
      expect(html).toContain(`<title>${title} · Ratecard</title>`)
      expect(html).toContain('<meta name="description"')
      expect(html).toContain('property="og:title"')
      if (canonical === null) expect(html).toContain('<meta name="robots" content="noindex" />')
      else expect(html).toContain(`<link rel="canonical" href="https://prices.example${canonical}" />`)
      expect(answer.headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=600')
      const again = await send(api.url, `GET ${path}`, `If-None-Match: ${answer.headers.get('etag')}`)
      expect([again.status, again.text]).toEqual([304, ''])
    },
  )

  test.each([
    '/models/openai/none',
    '/vendors/none',
    '/platforms/none',
    '/prices/none',
    '/changes/none',
    '/nothing',
  ])('%s is a 404 that a person can read', async (path) => {
    const answer = await send(api.url, `GET ${path}`, 'Accept: text/html,*/*;q=0.8')
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.text).toContain('href="/models')
  })

  test('of the API stays JSON, and so does a 404 for a program', async () => {
    for (const [target, accept] of [
      ['GET /v1/nothing', 'Accept: text/html'],
      ['GET /nothing', 'Accept: */*'],
      ['POST /nothing', 'Accept: text/html'],
    ] as const) {
      const { status, body } = await send(api.url, target, accept)
      expect({ status, body }).toMatchObject({ status: 404, body: { error: 'not_found' } })
    }
  })

  test('leads to nothing that is not there', async () => {
    for (const path of [
      '/',
      '/models',
      '/models/google/gemini-2.5-pro',
      '/calculator',
      '/changes',
      '/status',
    ]) {
      for (const [, link = ''] of (await text(path)).matchAll(
        /(?<!method="post")\s(?:href|src|action)="(\/[^"]*)/g,
      )) {
        const [target = ''] = link.replaceAll('&#38;', '&').replaceAll('&#39;', "'").split('#')
        if (target.startsWith('/dashboard')) continue
        expect((await api.request(target)).status, target).toBe(200)
      }
    }
  })
})

describe('the calculator', () => {
  test('says what a month of a model costs, whether it is named by its id, that of a price or in words', async () => {
    for (const name of ['openai/gpt-4o', 'openai:gpt-4o', 'gpt4o']) {
      const page = words(await text(`/calculator?model=${name}&in=100&out=20`))
      expect(page).toContain('What GPT-4o costs a month')
      // 100 million at $2.50, and 20 million at $10.
      expect(page).toContain('$450.00')
    }
  })

  test('keeps the model in its form, and says what it does not find', async () => {
    expect(await text('/calculator?model=openai/gpt-4o')).toContain('name="model"')
    expect(words(await text('/calculator?model=nothing+is+called+so'))).toContain(
      'Not found: nothing is called so.',
    )
    expect(words(await text('/calculator'))).toContain('Start with a model')
  })
})

describe('what is watched', () => {
  test.each([
    ['/models/openai/gpt-4o', 'product', 'openai/gpt-4o'],
    ['/prices/acme:loose', 'product', 'acme:loose'],
    ['/vendors/google', 'vendor', 'google'],
  ])('%s leads to sign-in and back, whoever asks', async (path, kind, name) => {
    const page = await text(path)
    const [link = ''] = /<a[^>]*data-watch=[^>]*>/.exec(page) ?? []
    expect(link.replaceAll(/\s+/g, ' ')).toContain(
      `href="/dashboard/sign-in?next=${encodeURIComponent(path)}" rel="nofollow" data-watch="${kind}" data-name="${name}"`,
    )
    const headers = { cookie: '__Host-ratecard.session_token=abc.def' }
    expect((await api.request(path, { headers })).body).toBe(page)
  })
})

describe('a name from a hostile file', () => {
  test.each([
    '/models',
    `/models${pathOf(hostile, hostile)}`,
    `/vendors${pathOf(hostile)}`,
    `/platforms${pathOf(hostile)}`,
    `/prices${pathOf(`acme:${hostile}`)}`,
    '/changes',
    '/changes.atom',
    '/sitemap.xml',
    `/models?q=${encodeURIComponent(hostile)}`,
    `/compare?models=${encodeURIComponent(hostile)}`,
    `/calculator?model=${encodeURIComponent(hostile)}`,
    `/models/none/${encodeURIComponent(hostile)}`,
  ])('is text, and no more, on %s', async (path) => {
    // JSON is text in its element, as long as no element begins in it.
    const body = (await text(path)).replaceAll(/<script type="application\/ld\+json">[^<]*<\/script>/g, '')
    expect(body).not.toMatch(/<script>|<img(?! loading="lazy" src="\/badge\/)|alert\(1\)<\/script/)
    if (!path.endsWith('.atom')) expect(body).not.toMatch(/\son\w+=["']/)
    for (const [, link = ''] of body.matchAll(/\shref="([^"]*)"/g))
      expect(link).not.toMatch(/[<>"']|^javascript:/)
  })
})

describe('everything that is stored', () => {
  test.each([
    [
      '/models/deepseek/deepseek-chat',
      ['$0.27', '$1.10', '$0.07', '16:30-00:30 UTC', '$0.135', '$0.55', '× 0.5'],
    ],
    [
      '/models/google/gemini-2.5-pro',
      [
        ...[
          '$1.25',
          '$10.00',
          '$0.125',
          'above 200,000 input tokens',
          '$2.50',
          '$15.00',
          'batch',
          '$0.625',
          '$5.00',
        ],
        ...['Searches', '$0.035', 'per query', 'Announced', '$2.75', '+120 %', 'Gemini moves'],
      ],
    ],
    [
      '/models/anthropic/claude-sonnet-4-5',
      [
        ...[
          '$3.30',
          '$16.50',
          'eu',
          'Cache write',
          '$4.125',
          'kept for 1 hour',
          '$6.60',
          '× 1.1',
          '$3.00',
          '$15.00',
        ],
        'bedrock:eu:eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
      ],
    ],
  ])('stands on %s', async (path, expected) => {
    const shown = words(await text(path))
    for (const part of expected) expect(shown).toContain(part)
    expect(shown).not.toContain('secret')
  })

  test('with the rule that chose it, how many deny it, and who states each rate', async () => {
    const evidence = {
      input_per_mtok: { said_by: ['litellm'], denied_by: { portkey: '0.3', 'models-dev': '0.3' } },
      output_per_mtok: { said_by: ['litellm'], denied_by: { portkey: '1.2' } },
    }
    const [night] = written[0]!.rates
    await database.db
      .insertInto('price_standings')
      .values({
        ...{ resource_key: 'deepseek:deepseek-chat', resource_id: 'deepseek:deepseek-chat' },
        ...{ source: 'litellm', rule: 'contested', is_confirmed: false },
        evidence: JSON.stringify(evidence),
        rate_evidence: JSON.stringify({
          [rateKey(night!)]: { said_by: ['litellm'], denied_by: { portkey: '0.14' } },
        }),
      })
      .execute()
    const page = await text('/models/deepseek/deepseek-chat?in=1')
    const shown = words(page)
    expect(shown).toMatch(/2 sources state otherwise deepseek:deepseek-chat/)
    expect(page).toMatch(/title="Of sources that contradict each other one outweighs the others/)
    expect(shown).toMatch(/LiteLLM ?Portkey states \$0\.14/)
    expect(shown).not.toContain('two sources agree')
  })

  test('is where the address of a record leads to', async () => {
    const { status, headers } = await fetch(`${api.url}/prices/google:gemini-2.5-pro`, { redirect: 'manual' })
    expect([status, headers.get('location')]).toEqual([
      301,
      '/models/google/gemini-2.5-pro#google%3Agemini-2.5-pro',
    ])
  })

  test('free is free, and unknown is neither free nor 0', async () => {
    const shown = words(await text('/prices/acme:loose'))
    expect(shown).toContain('free')
    expect(shown).toContain('unknown')
    expect(shown).not.toContain('$0.00')
  })
})

describe('the search', () => {
  test.each([
    ['gpt4o', 'openai/gpt-4o'],
    ['GPT 4o', 'openai/gpt-4o'],
    ['claude sonnet 4.5', 'anthropic/claude-sonnet-4-5'],
    ['bedrock claude', 'anthropic/claude-sonnet-4-5'],
    ['gemini_2.5-pro', 'google/gemini-2.5-pro'],
  ])('finds %s', async (typed, id) => {
    const page = await text(`/models?q=${encodeURIComponent(typed)}`)
    expect(words(page)).toContain('1 model')
    expect(page).toContain(`title="${id}"`)
  })

  test('offers what is near', async () => {
    expect(await text('/models?q=gemni')).toContain('href="/models?q=gemini"')
  })

  test('filters, and is bounded', async () => {
    expect(words(await text('/models?vendor=openai'))).toContain('1 model')
    expect(words(await text('/models?platform=bedrock&modality=llm'))).toContain('1 model')
    const long = await api.request(`/models?q=${'a%20'.repeat(2_000)}&page=99999999&vendor[]=x&vendor[]=y`)
    expect(long.status).toBe(200)
  })
})

describe('the calculator', () => {
  test('works without a script', async () => {
    const standard = words(await text('/models/google/gemini-2.5-pro?in=100&out=20&cached=50'))
    // 50 at 1.25, 50 at 0.125, 20 at 10.
    expect(standard).toContain('$268.75')
    const batch = words(await text('/models/google/gemini-2.5-pro?in=100&out=20&batch=1'))
    expect(batch).toContain('$162.50')
  })

  test('says nothing where a price is not known', async () => {
    const html = await text('/models/openai/gpt-4o?in=1&out=1&cached=50')
    expect(html).toMatch(/data-cost><?span[^>]*aria-hidden="true">–|data-cost>\s*<span aria-hidden="true">–/)
  })
})

describe('for machines', () => {
  test('/changes.atom has the summaries, filtered', async () => {
    const answer = await api.request('/changes.atom?vendor=google')
    expect(answer.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
    const feed = answer.body as string
    expect(feed.match(/<entry>/g)).toHaveLength(1)
    expect(feed).toContain('<title>Gemini moves</title>')
    expect(feed).not.toContain('secret')
  })

  test('/sitemap.xml has products, /robots.txt leads to it, /llms.txt says what there is', async () => {
    const map = await text('/sitemap.xml')
    expect(map).toContain('<loc>https://prices.example/models/openai/gpt-4o</loc>')
    expect(map).toMatch(
      /<loc>https:\/\/prices\.example\/changes\/chg_\w+<\/loc><lastmod>\d{4}-\d\d-\d\d<\/lastmod>/,
    )
    expect(await text('/robots.txt')).toContain('Sitemap: https://prices.example/sitemap.xml')
    expect(await text('/llms.txt')).toMatch(/^# Ratecard\n\n> /)
  })

  test('a product says what it costs in JSON-LD', async () => {
    const html = await text('/models/openai/gpt-4o')
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? []
    expect(JSON.parse(json)).toMatchObject({
      '@type': 'Product',
      name: 'GPT-4o',
      offers: [{ price: '2.50' }, {}],
    })
  })
})

describe('a change', () => {
  test('has its address, its summary and its model for search engines, and the feed of its model', async () => {
    const [, path = ''] = /href="(\/changes\/[^"]+)"[^>]*>Gemini moves/.exec(await text('/changes')) ?? []
    const page = await text(path)
    expect(page).toContain(`<link rel="canonical" href="https://prices.example${path}" />`)
    expect(page).toContain('href="/changes.atom?product=google%2Fgemini-2.5-pro"')
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? []
    expect(JSON.parse(json)).toMatchObject({
      '@type': 'NewsArticle',
      headline: 'Gemini moves',
      about: { productID: 'google/gemini-2.5-pro' },
    })
    expect(page).toMatch(/property="og:image" content="https:\/\/prices\.example\/pictures\/changes\/chg_/)
  })
})

describe('the picture for links', () => {
  const png = (body: Buffer) => ({
    type: body.subarray(1, 4).toString(),
    widthPx: body.readUInt32BE(16),
    heightPx: body.readUInt32BE(20),
  })
  const painted = async (path: string) => {
    const response = await fetch(api.url + path, { redirect: 'manual' })
    return { response, body: Buffer.from(await response.arrayBuffer()) }
  }
  const pictureOf = async (path: string) => {
    const [, address = ''] =
      /property="og:image" content="https:\/\/prices\.example([^"]+)"/.exec(await text(path)) ?? []
    return address.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
  }

  test.each(['/', '/models/google/gemini-2.5-pro', '/vendors/google', '/platforms/bedrock'])(
    'of %s is its own, painted once',
    async (path) => {
      const address = await pictureOf(path)
      expect(address).toMatch(/^\/pictures\//)
      const { response, body } = await painted(address)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
      expect(png(body)).toEqual({ type: 'PNG', widthPx: 1_200, heightPx: 630 })
      const tag = response.headers.get('etag')!
      const again = await send(api.url, `GET ${address}`, `If-None-Match: ${tag}`)
      expect([again.status, again.text]).toEqual([304, ''])
    },
  )

  test('of a hostile name is painted, too', async () => {
    const { response, body } = await painted(await pictureOf(`/models${pathOf(hostile, hostile)}`))
    expect(response.status).toBe(200)
    expect(png(body).type).toBe('PNG')
  })

  test('of nothing is not there, and of a page without one that of the house', async () => {
    expect((await painted('/pictures/models/openai/none.png')).response.status).toBe(404)
    expect((await painted('/pictures/changes/none.png')).response.status).toBe(404)
    expect(await pictureOf('/status')).toMatch(/^\/assets\/ratecard\.\w+\.png$/)
  })

  test('is that of the house where none can be painted', async () => {
    const response = await fetch(`${away.url}/pictures/models/openai/gpt-4o.png`, { redirect: 'manual' })
    expect(response.status).toBe(302)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect((await fetch(away.url + response.headers.get('location')!)).status).toBe(200)
  })
})

test('a moved price is on its page with the next version', async () => {
  const first = await api.request('/models/openai/gpt-4o')
  const record = { ...written[4]!.record, input_per_mtok: '2.25' }
  await database.db.transaction().execute((trx) =>
    writePrices(trx, [{ record, rates: [], source: 'test' }], {
      runId: null,
      observedAt: '2026-02-01T00:00:00.000000Z',
    }),
  )
  await expect.poll(async () => words(await text('/models/openai/gpt-4o'))).toContain('$2.25')
  const html = await text('/models/openai/gpt-4o')
  expect((await api.request('/models/openai/gpt-4o')).headers.get('etag')).not.toBe(first.headers.get('etag'))
  // The history is a picture now, and a table.
  expect(html).toContain('<svg class="chart"')
  expect(html).toContain('aria-label="Since 2026-01-01: $2.50 OpenAI"')
  expect(html).toContain('aria-label="Since 2026-02-01: $2.25 OpenAI"')
  expect(words(html)).toContain('2026-01-01')
})

test('without a database the pages that need none are there, and the others say when to come back', async () => {
  for (const path of ['/', '/plans', '/robots.txt']) expect((await away.request(path)).status).toBe(200)
  const { status, headers } = await away.request('/models')
  expect(status).toBe(503)
  expect(headers.get('retry-after')).toMatch(/^[1-5]$/)
})
