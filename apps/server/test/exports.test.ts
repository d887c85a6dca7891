import { createHash } from 'node:crypto'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { setTimeout } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { parquetReadObjects } from 'hyparquet'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeExports } from '../src/exports/make-exports.ts'
import { createSigner } from '../src/exports/signature.ts'
import type { LossReport } from '../src/exports/report.ts'
import { startExports } from '../src/jobs/exports.ts'
import { createLogger } from '../src/platform/logger.ts'
import { priceRecord, storePrices } from './support/actors.ts'
import { useApi } from './support/api.ts'
import { useDatabase } from './support/postgres.ts'
import { ids, litellmRows, useScene } from './support/snapshot-scene.ts'

// The price list in the forms of other programs: made when it moves, and served at stable addresses.

const database = useDatabase()
useScene(database)
const api = useApi(database, { env: { TRUSTED_PROXIES: '127.0.0.0/8' } })
const signer = createSigner('secret')
const from = (address: string, headers: Record<string, string> = {}) => ({
  headers: { 'x-forwarded-for': address, ...headers },
})

test('before the first is made, who asks is told to come again', async () => {
  const { status, headers, body } = await api.request('/exports/litellm.json', from('198.51.100.1'))
  expect([status, headers.get('retry-after') === null]).toEqual([503, false])
  expect(body).toMatchObject({ message: 'The file is being made. Ask again in a few seconds.' })
})

describe('once they are made', () => {
  beforeAll(async () => {
    expect(await makeExports(database.db, signer)).toBe(true)
    // Nothing has moved.
    expect(await makeExports(database.db, signer)).toBe(false)
    // What files there are is asked of the database once a second.
    await setTimeout(1_100)
  })

  test("LiteLLM's rows have our prices, and all that is no price", async () => {
    const { body } = await api.request('/exports/litellm.json', from('198.51.100.2'))
    const gemini = litellmRows['gemini/gemini-2.5-pro']
    expect(body).toEqual({
      ...litellmRows,
      'deepseek/deepseek-chat': {
        litellm_provider: 'deepseek',
        mode: 'chat',
        input_cost_per_token: 2.7e-7,
        output_cost_per_token: 1.1e-6,
      },
      'gemini/gemini-2.5-pro': { ...gemini, input_cost_per_token: 1.2e-6 },
    })
  })

  test('its report names what it cannot hold, and where its rows are from', async () => {
    const { body } = await api.request('/exports/litellm.report.json', from('198.51.100.2'))
    const report = body as LossReport
    expect(report).toMatchObject({
      ...{ form: 'LiteLLM', file: 'litellm.json', rows: 3, resources: 3, held: 3 },
      upstream: { source: 'litellm', licence: 'MIT', rows: 3, ours: 3, kept: 0 },
    })
    expect(report.notes).toEqual([expect.stringContaining('does not know unknown from free')])
    expect(report.losses).toEqual({
      'rates by the hour of the day': {
        count: 2,
        of: { [ids.deepseek]: ['input_tokens, 16:30-00:30', 'output_tokens, 16:30-00:30'] },
      },
      'announced prices': { count: 1, of: { [ids.deepseek]: ['2999-01-01'] } },
    })
  })

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
    ['identity', (bytes: Buffer) => bytes],
  ])('it is sent as %s, with a tag by which it is not sent again', async (coding, unpack) => {
    const url = `${api.url}/exports/litellm.json`
    const get = (headers: Record<string, string>) =>
      fetch(url, { headers: { 'accept-encoding': coding, 'x-forwarded-for': '198.51.100.3', ...headers } })
    const response = await get({})
    const headers = Object.fromEntries(response.headers)
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=300, stale-while-revalidate=3600',
      'content-type': 'application/json',
      vary: expect.stringContaining('Accept-Encoding') as string,
    })
    expect(headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding)
    // fetch unpacks it.
    const text = Buffer.from(await response.arrayBuffer())
    const { rows } = await sql<{ sha256: string; bytes: number; packed: Buffer }>`
      select sha256, bytes, ${sql.ref(coding === 'br' ? 'brotli' : 'gzip')} as packed
      from export_files where name = 'litellm.json'`.execute(database.db)
    const { sha256, bytes, packed } = rows[0]!
    expect(createHash('sha256').update(text).digest('hex')).toBe(sha256)
    expect(text.length).toBe(bytes)
    if (coding !== 'identity') expect(unpack(packed)).toEqual(text)
    expect(Number(headers['content-length'])).toBe(coding === 'identity' ? bytes : packed.length)
    for (const known of [headers['etag']!, `"other", ${headers['etag']!}`, '*']) {
      const again = await get({ 'if-none-match': known })
      expect([again.status, await again.text()]).toEqual([304, ''])
    }
  })

  test('many programs behind one address learn at once that their file is the newest', async () => {
    const ask = (headers: Record<string, string>) => fetch(`${api.url}/exports/litellm.json`, { headers })
    const from = { 'x-forwarded-for': '198.51.100.8' }
    const whole = await ask(from)
    await whole.arrayBuffer()
    const headers = { ...from, 'if-none-match': whole.headers.get('etag')! }
    const statuses = await Promise.all(Array.from({ length: 380 }, async () => (await ask(headers)).status))
    expect(new Set(statuses)).toEqual(new Set([304]))
  })

  test('the table is at the address that people guess too', async () => {
    const [guessed, listed] = await Promise.all(
      ['/prices.csv', '/exports/prices.csv'].map(async (path) => {
        const { status, headers, body } = await api.request(path, from('198.51.100.10'))
        return { status, type: headers.get('content-type'), body }
      }),
    )
    expect(guessed).toMatchObject({ status: 200, type: 'text/csv; charset=utf-8' })
    expect(guessed).toEqual(listed)
  })

  test('Parquet has typed columns, and is sent as it is', async () => {
    const headers = { 'accept-encoding': 'br, gzip', 'x-forwarded-for': '198.51.100.9' }
    const response = await fetch(`${api.url}/exports/prices.parquet`, { headers })
    const file = await response.arrayBuffer()
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/vnd.apache.parquet',
      'content-length': String(file.byteLength),
    })
    expect(response.headers.get('content-encoding')).toBeNull()
    const rows: Record<string, unknown>[] = await parquetReadObjects({ file })
    expect(rows.map((row) => row['resource_id'])).toEqual(Object.values(ids).sort())
    expect(rows.find((row) => row['resource_id'] === ids.gemini)).toMatchObject({
      ...{ vendor: 'google', platform: 'google', currency: 'USD', modality: 'llm' },
      ...{ input_per_mtok: 1.2, input_per_mtok_text: '1.2', image_per_unit: null },
      retires_on: new Date('2999-06-17'),
      updated_at: expect.any(Date) as Date,
      rates: expect.stringContaining('"service_tier":"batch"') as string,
    })
    expect(rows.find((row) => row['resource_id'] === ids.deepseek)).toMatchObject({
      effective_on: new Date('2026-02-01'),
      announced: expect.stringContaining('2999-01-01') as string,
    })
  })

  test('CSV and SQLite have the same rows, and are sent compressed', async () => {
    const ask = (name: string) =>
      fetch(`${api.url}/exports/${name}`, from('198.51.100.10', { 'accept-encoding': 'gzip' }))
    const csv = await ask('prices.csv')
    expect(Object.fromEntries(csv.headers)).toMatchObject({
      ...{ 'content-type': 'text/csv; charset=utf-8', 'content-encoding': 'gzip' },
      etag: expect.stringMatching(/^W\/"[0-9a-f]{32}"$/) as string,
    })
    const lines = (await csv.text()).split('\r\n')
    const header = lines[0]!.split(',')
    expect(new Set(header).size).toBe(header.length)
    const gemini = lines.find((line) => line.startsWith(ids.gemini))!.split(',')
    expect(gemini[header.indexOf('input_per_mtok')]).toBe('1.2')
    expect(gemini[header.indexOf('image_per_unit')]).toBe('')
    expect(gemini[header.indexOf('retires_on')]).toBe('2999-06-17')

    const sqlite = await ask('prices.sqlite')
    expect(sqlite.headers.get('content-encoding')).toBe('gzip')
    const folder = await mkdtemp(join(tmpdir(), 'ratecard-sqlite-'))
    await writeFile(join(folder, 'prices.sqlite'), Buffer.from(await sqlite.arrayBuffer()))
    const database = new DatabaseSync(join(folder, 'prices.sqlite'), { readOnly: true })
    const rows = database.prepare('select * from prices order by resource_id').all()
    database.close()
    await rm(folder, { recursive: true })
    expect(rows.map((row) => row['resource_id'])).toEqual(Object.values(ids).sort())
    expect(rows.find((row) => row['resource_id'] === ids.gemini)).toMatchObject({
      ...{ input_per_mtok: 1.2, input_per_mtok_text: '1.2', image_per_unit: null, is_confirmed: 0 },
      ...{ retires_on: '2999-06-17', updated_at: expect.stringMatching(/^\d{4}-.*Z$/) as string },
    })
    const report = await api.request('/exports/prices.report.json', from('198.51.100.10'))
    expect(report.body).toMatchObject({ rows: rows.length, losses: {} })
  })

  test('they are signed, and whoever has the key finds out by the commands of the documentation', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ratecard-signed-'))
    const guide = await readFile(new URL('../../../docs/exports.md', import.meta.url), 'utf8')
    const [, commands = ''] = /```sh\n(curl[^`]*SHA256SUMS\.sig[^`]*)```/.exec(guide) ?? []
    const script = commands.replaceAll('https://<server>', api.url)
    const run = (more = '') => promisify(execFile)('sh', ['-ec', more + script], { cwd: folder })
    const { stdout } = await run()
    expect(stdout).toContain('litellm.json: OK')
    expect(stdout).toContain('Signature Verified Successfully')
    await writeFile(join(folder, 'ed25519.pem'), createSigner('another').publicKey)
    await expect(
      run('set -e; curl() { case "$*" in *ed25519.pem*) ;; *) command curl "$@" ;; esac; }; '),
    ).rejects.toThrow()
    await rm(folder, { recursive: true })
  })

  test('the earlier address has the same', async () => {
    const tags = await Promise.all(
      ['/snapshot.litellm.json', '/exports/litellm.json'].map(async (path) =>
        (await api.request(path, from('198.51.100.4'))).headers.get('etag'),
      ),
    )
    expect(tags[0]).toBe(tags[1])
  })

  test('an address may ask 60 times a minute, and there are no others', async () => {
    const statuses = new Set<number>()
    for (let count = 0; count < 60; count += 1)
      statuses.add((await api.request('/exports/litellm.json', from('198.51.100.5'))).status)
    expect([...statuses]).toEqual([200])
    expect((await api.request('/exports/nothing.json', from('198.51.100.6'))).status).toBe(404)
  })

  test('a price that moves brings new files, and the tag of a file that stays as it was stays', async () => {
    const before = await api.request('/exports/litellm.json', from('198.51.100.7'))
    await storePrices(database.db, [priceRecord({ resource_id: 'acme:new' })])
    expect(await makeExports(database.db, signer)).toBe(true)
    const tag = before.headers.get('etag')!
    const next = () => api.request('/exports/litellm.json', from('198.51.100.7', { 'if-none-match': tag }))
    await expect.poll(async () => (await next()).status).toBe(200)
    expect((await next()).body).toHaveProperty('acme/new')
    // The list moves, and no price does.
    await sql`update list_versions set version = version + 1`.execute(database.db)
    const settled = (await next()).headers.get('etag')!
    expect(await makeExports(database.db, signer)).toBe(true)
    const { status } = await api.request(
      '/exports/litellm.json',
      from('198.51.100.7', { 'if-none-match': settled }),
    )
    expect(status).toBe(304)
  })

  test('a worker makes them when the list has moved, in a thread', async () => {
    const working = startExports({
      ...{ db: database.db, connectionString: database.url, secret: 'secret' },
      logger: createLogger('silent'),
    })
    try {
      await storePrices(database.db, [priceRecord({ resource_id: 'acme:newer' })])
      const map = async () => (await api.request('/exports/litellm.json', from('198.51.100.8'))).body
      await expect.poll(map, { timeout: 120_000, interval: 1_000 }).toHaveProperty('acme/newer')
    } finally {
      await working.stop()
    }
  })
})
