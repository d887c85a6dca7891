import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { SourceReading } from '../../source-record.ts'
import { pieces, readOwnCsv } from './own-csv.ts'

const now = new Date('2026-08-21T12:00:00Z')

function read(text: string): Promise<SourceReading> {
  return readOwnCsv(pieces(text), now)
}

const header = 'resource_id,input_per_mtok,output_per_mtok'

test('a row becomes a price', async () => {
  const text = [
    'resource_id,product_id,vendor,platform,modality,region,unit,input_per_mtok,output_per_mtok,cached_input_per_mtok,currency,source_url,effective_at,retires_on',
    'azure:eu:gpt-9,openai/gpt-9,openai,azure,llm,eu,1m_tokens,0.20,0.8,,EUR,https://wiki.example/prices,2026-01-01,2027-03-31',
  ].join('\n')
  expect(await read(text)).toEqual({
    records: [
      {
        resource_id: 'azure:eu:gpt-9',
        product_id: 'openai/gpt-9',
        vendor: 'openai',
        platform: 'azure',
        modality: 'llm',
        region: 'eu',
        unit: '1m_tokens',
        input_per_mtok: '0.2',
        output_per_mtok: '0.8',
        cached_input_per_mtok: null,
        image_per_unit: null,
        audio_per_min: null,
        video_per_sec: null,
        currency: 'EUR',
        source_url: 'https://wiki.example/prices',
        effective_at: '2026-01-01',
        source_key: 'azure:eu:gpt-9',
        model_name: 'gpt-9',
        is_named: false,
        rates: [],
        retires_on: '2027-03-31',
        scheduled: [],
      },
    ],
    rejected: [],
    mended: [],
    version: null,
    data_at: null,
    unknown_fields: [],
  })
})

describe('spelling of the file', () => {
  test.each([
    ['a byte order mark', `\uFEFF${header}\nacme:m,1,2\n`],
    ['CRLF', `${header}\r\nacme:m,1,2\r\n`],
    ['no newline at the end', `${header}\nacme:m,1,2`],
    ['blank lines and spaces', `${header}\n\nacme:m , 1, 2 \n\n`],
    ['quotes', `"resource_id","input_per_mtok","output_per_mtok"\n"acme:m","1","2"\n`],
    ['another order of columns', 'output_per_mtok,resource_id,input_per_mtok\n2,acme:m,1\n'],
    ['platform and id', 'platform,id,input_per_mtok,output_per_mtok\nacme,m,1,2\n'],
  ])('%s', async (_, text) => {
    const { records, rejected } = await read(text)
    expect(rejected).toEqual([])
    expect(records).toMatchObject([{ resource_id: 'acme:m', input_per_mtok: '1', output_per_mtok: '2' }])
  })

  test('commas, quotes and lines within quotes are part of the field', async () => {
    const { records, rejected } = await read(`${header}\n"acme:a,""b""",1,2\n"acme:c\nd",1,2\nacme:e,x,2\n`)
    expect(records.map(({ resource_id }) => resource_id)).toEqual(['acme:a,"b"'])
    expect(rejected.map(({ reason }) => reason)).toEqual([
      'line 4: resource_id has control characters',
      'line 5: input_per_mtok is not a number: x',
    ])
  })

  test('characters outside ASCII survive, wherever the text is cut', async () => {
    const rows = Array.from({ length: 50 }, (_, index) => `acme:模型🚀${index},1,2`)
    const { records } = await readOwnCsv(pieces([header, ...rows].join('\n'), 20), now)
    expect(records.map(({ resource_id }) => resource_id)).toEqual(rows.map((row) => row.slice(0, -4)))
    const bytes = Buffer.from([header, ...rows].join('\n'))
    async function* single() {
      for (const byte of bytes) yield Uint8Array.of(byte)
      await setImmediate()
    }
    expect((await readOwnCsv(single(), now)).records).toEqual(records)
  })
})

describe('a row that cannot be served is named by its line and its columns', () => {
  test.each([
    ['acme:m,-3,2', 'line 3: input_per_mtok is negative: -3; leave out what is not known'],
    ['acme:m,-1,2', 'line 3: input_per_mtok is negative: -1; leave out what is not known'],
    ['acme:m,$3,x', 'line 3: input_per_mtok is not a number: $3; output_per_mtok is not a number: x'],
    ['acme:m,"1,000.50",2', 'line 3: input_per_mtok is not a number: 1,000.50'],
    ['acme:m,1e99,2', 'line 3: input_per_mtok is too large for a price: 1e99'],
    ['acme,1,2', 'line 3: resource_id is not platform:id'],
    [',1,2', 'line 3: resource_id is missing, or platform and id'],
    ['acme:m,1', 'line 3: has 2 fields, where the first row names 3 columns'],
    ['acme:m,1,2,3', 'line 3: has 4 fields, where the first row names 3 columns'],
    ['acme:good,1,2', 'line 3: names the same resource as line 2'],
  ])('%s', async (row, reason) => {
    const { records, rejected } = await read(`${header}\nacme:good,1,2\n${row}\nacme:also,1,2\n`)
    expect(records.map(({ resource_id }) => resource_id)).toEqual(['acme:good', 'acme:also'])
    expect(rejected.map((row) => row.reason)).toEqual([reason])
  })

  test.each([
    ['modality', 'text', /^line 2: modality is not one of llm, embedding/],
    ['currency', 'dollars', /^line 2: currency is not a currency code/],
    ['product_id', 'gpt-9', /^line 2: product_id is not vendor\/model$/],
    ['source_url', 'our contract', /^line 2: source_url is not an http or https address$/],
    ['effective_at', '1.9.2026', /^line 2: effective_at/],
    ['effective_at', '2026-02-30', /^line 2: effective_at/],
    ['effective_at', '2026-09-01T00:00:00', /^line 2: effective_at/],
    ['retires_on', '2026-13-01', /^line 2: retires_on is not a day/],
    ['platform', 'other', /^line 2: platform is not what resource_id begins with, acme$/],
    ['id', 'm', /^line 2: id stands beside resource_id/],
  ])('%s: %s', async (column, value, reason) => {
    const { rejected } = await read(`resource_id,${column}\nacme:m,${value}\nacme:good,\n`)
    expect(rejected).toEqual([{ id: 'acme:m', reason: expect.stringMatching(reason) as string }])
  })
})

describe('what a row does not say', () => {
  test('an empty field is unknown, not 0', async () => {
    const { records } = await read(`${header}\nacme:m,,0\n`)
    expect(records).toMatchObject([{ input_per_mtok: null, output_per_mtok: '0', currency: 'USD' }])
  })

  test.each([
    ['input_per_mtok', 'llm', '1m_tokens'],
    ['image_per_unit', 'image', 'image'],
    ['audio_per_min', 'audio', 'minute'],
    ['video_per_sec', 'video', 'second'],
    ['vendor', null, null],
  ])('modality and unit follow from the kind of price: %s', async (column, modality, unit) => {
    const { records } = await read(`resource_id,${column}\nacme:m,1\n`)
    expect(records).toMatchObject([{ modality, unit }])
  })

  test.each([
    ['anthropic:claude-9', 'anthropic', null, 'anthropic'],
    ['azure:eu:gpt-9', 'azure', 'eu', 'openai'],
    ['bedrock:us:us.anthropic.claude-9-v1:0', 'bedrock', 'us', 'anthropic'],
    ['openrouter:meta-llama/llama-9:free', 'openrouter', null, 'meta'],
    ['acme:a:b:c', 'acme', null, 'unknown'],
  ])('platform, region and vendor are read from %s', async (id, platform, region, vendor) => {
    const { records } = await read(`${header}\n${id},1,2\n`)
    expect(records).toMatchObject([{ resource_id: id, platform, region, vendor }])
  })

  test('platform, region and id make the resource as the other sources name it', async () => {
    const { records } = await read('platform,region,id\nazure,eu,gpt-9\nazure,,eu/gpt-8\nacme,north,m\n')
    expect(records.map(({ resource_id, region }) => [resource_id, region])).toEqual([
      ['azure:eu:gpt-9', 'eu'],
      ['azure:eu:gpt-8', 'eu'],
      ['acme:north:m', 'north'],
    ])
  })
})

describe('several rows of one resource from different days', () => {
  const dated = 'resource_id,input_per_mtok,effective_at'

  test('the last that has begun is served, later ones are scheduled, earlier ones named', async () => {
    const rows = ['acme:m,4,2026-09-01', 'acme:m,1,', 'acme:m,3,2026-08-21', 'acme:m,2,2026-01-01']
    const { records, rejected } = await read([dated, ...rows].join('\n'))
    expect(records).toMatchObject([
      {
        input_per_mtok: '3',
        effective_at: '2026-08-21',
        scheduled: [{ starts_on: '2026-09-01', amounts: { input_per_mtok: '4', output_per_mtok: null } }],
      },
    ])
    expect(rejected).toEqual([
      { id: 'acme:m', reason: 'line 3: no longer holds: line 4 does, from 2026-08-21' },
      { id: 'acme:m', reason: 'line 5: no longer holds: line 4 does, from 2026-08-21' },
    ])
  })

  test('an instant counts by its UTC day', async () => {
    const { records } = await read(`${dated}\nacme:m,1,\nacme:m,2,2026-08-22T01:00:00+02:00\n`)
    expect(records).toMatchObject([{ input_per_mtok: '2', effective_at: '2026-08-22T01:00:00+02:00' }])
  })

  test('a price to come without one that holds would take away what others say: it is named', async () => {
    const { records, rejected } = await read(`${dated}\nacme:m,2,2026-09-01\nacme:n,1,\n`)
    expect(records.map(({ resource_id }) => resource_id)).toEqual(['acme:n'])
    expect(rejected).toEqual([
      {
        id: 'acme:m',
        reason: 'line 2: begins on 2026-09-01, and no row says what holds until then: add one',
      },
    ])
  })
})

describe('a file that is no such CSV is refused whole', () => {
  test.each<[string, string, RegExp]>([
    ['nothing', '', /is empty/],
    ['a header alone', `${header}\n`, /lists no price/],
    [
      'unknown columns',
      'resource_id,price,note\nacme:m,1,x',
      /Unknown columns in the CSV: "price", "note"\. Known/,
    ],
    ['semicolons', 'resource_id;input_per_mtok\nacme:m;1', /Columns are separated by commas/],
    ['rates', 'resource_id,rates\nacme:m,[]', /Unknown columns in the CSV: "rates"/],
    ['a column twice', 'resource_id,unit,unit\nacme:m,a,b', /names the column "unit" twice/],
    ['no name of a resource', 'platform,unit\nacme,a', /needs the column resource_id, or/],
    ['no row that can be read', `${header}\nacme:m,x,2`, /No row.*line 2: input_per_mtok is not a number: x/],
    ['an open quote', `${header}\nacme:m,1,2\n"acme:n,1,2\n`, /line 3: a quote is never closed/],
    ['a stray quote', `${header}\nacme:m,1,2\nac"me:n,1,2\n`, /line 3: a quote stands within a field/],
    ['text after a quote', `${header}\n"acme:m"x,1,2\n`, /line 2: something follows a closing quote/],
    ['JSON', '{"prices": []}', /Unknown columns|cannot be read/],
  ])('%s', async (_, text, message) => {
    await expect(read(text)).rejects.toThrow(message)
    await expect(read(text)).rejects.toMatchObject({ name: 'UserError' })
  })

  test('a quote that is never closed is found long before the end of a large file', async () => {
    const rows = `${header}\nacme:m,1,2\n"acme:n,1,2\n${'acme:o,1,2\n'.repeat(250_000)}`
    await expect(read(rows)).rejects.toThrow(/more than 2097152 bytes: is a quote never closed/)
  })
})

describe('a large file', () => {
  test('is read as it comes: a wrong header stops it at once', async () => {
    let sent = 0
    async function* endless() {
      for (;;) {
        sent += 1
        yield sent === 1 ? 'resource_id,nonsense\n' : 'acme:m,1\n'.repeat(1_000)
        await setImmediate()
      }
    }
    await expect(readOwnCsv(endless(), now)).rejects.toThrow(/Unknown columns in the CSV: "nonsense"/)
    expect(sent).toBeLessThan(100)
  })

  test('100,000 rows are all there', { timeout: 120_000 }, async () => {
    const rows = Array.from({ length: 100_000 }, (_, index) => `acme:model-${index},0.${index + 1},${index}`)
    const started = performance.now()
    const { records, rejected } = await read([header, ...rows].join('\r\n'))
    console.log(`100,000 rows of CSV: ${Math.round(performance.now() - started)} ms`)
    expect([records.length, rejected.length]).toEqual([100_000, 0])
    expect(records.at(-1)).toMatchObject({ resource_id: 'acme:model-99999', output_per_mtok: '99999' })
    expect(performance.now() - started).toBeLessThan(90_000)
  })
})
