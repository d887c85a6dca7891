import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withSnapshot } from '../src/snapshot/read-snapshot.ts'
import type { SnapshotResource } from '../src/snapshot/record.ts'
import type { LossReport } from '../src/exports/report.ts'
import { runFeed } from '../src/ingest/run/run-feed.ts'
import { readSourceFile } from '../src/ingest/run/fetch-source.ts'
import type { SourceName } from '../src/ingest/sources/index.ts'
import { readLitellm } from '../src/ingest/sources/lists/litellm.ts'
import { priceDataDir, priceFile, skipTitle } from '../test/support/price-files.ts'
import { useDatabase } from '../test/support/postgres.ts'

// The snapshot of all sources as published: some 9,500 prices.

const program = fileURLToPath(new URL('../bin/ratecard.js', import.meta.url))
const files: [SourceName, string][] = [
  ['genai-prices', 'genai-prices/data_v2_2026-08-21.json'],
  ['litellm', 'litellm/model_prices_2026-08-01.json'],
  ['llm-prices', 'llm-prices/historical-v1_equivalent_2026-08-05.json'],
  ['models.dev', 'models.dev/api_equivalent_2026-07-02.json'],
  ['openrouter', 'openrouter/models_2026-08-01.json'],
  ['portkey', 'portkey/pricing_2026-08-21.tar.gz'],
]
// Of the program alone: other work of the machine is in the time on the wall.
const cpuMsMax = 10_000
const mbMax = 400

describe.skipIf(priceDataDir === undefined)(skipTitle('the snapshot of all sources'), () => {
  const database = useDatabase()
  const fresh = useDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'ratecard-snapshot-'))
  const resources: SnapshotResource[] = []
  afterAll(() => rmSync(folder, { recursive: true }))
  beforeAll(async () => {
    for (const [source, path] of files) {
      const input = await readSourceFile(join(priceDataDir!, path))
      await runFeed(database.db, { source, input, observedAt: '2026-11-01T00:00:00Z', alerts: null })
    }
    await withSnapshot(database.db, null, async ({ batches }) => {
      for await (const batch of batches) resources.push(...batch)
    })
  })

  test('is written in each form within bounds', async () => {
    const lines: string[] = []
    for (const format of ['json', 'jsonl', 'csv', 'sqlite', 'litellm', 'json --as-of 2026-11-02']) {
      const file = join(folder, format.replaceAll(/\W/g, '-'))
      const args = ['prices', 'export', '--out', file, '--format', ...format.split(' ')]
      const { cpuMs, ms, peakMb } = await run(args)
      const size = (statSync(file).size / 1e6).toFixed(1)
      lines.push(
        `${format}: ${Math.round(ms)} ms (${cpuMs} ms of CPU time), ${Math.round(peakMb)} MB, a file of ${size} MB`,
      )
      expect(cpuMs).toBeLessThan(cpuMsMax)
      expect(peakMb).toBeLessThan(mbMax)
    }
    console.log(`${resources.length} resources\n${lines.join('\n')}`)
  })

  test('is read back equal', async () => {
    const { resources: read } = JSON.parse(await readFile(join(folder, 'json'), 'utf8')) as {
      resources: SnapshotResource[]
    }
    expect(read).toEqual(resources)
    const { stdout } = await run(['drift', join(folder, 'json'), '--json'])
    const report = JSON.parse(stdout) as { amounts: number; wrong: unknown[]; unread: unknown[] }
    expect([report.wrong, report.unread]).toEqual([[], []])
    const stated = resources.map((one) => Object.keys(one.evidence ?? {}).length + (one.rates?.length ?? 0))
    expect(report.amounts).toBeGreaterThan(stated.reduce((sum, count) => sum + count) * 0.9)
  })

  test("loses in LiteLLM's form only what the format cannot hold, and is loaded from it", async () => {
    const map: unknown = JSON.parse(await readFile(join(folder, 'litellm'), 'utf8'))
    const { records } = readLitellm(map)
    const report = JSON.parse(await readFile(join(folder, 'litellm.report.json'), 'utf8')) as LossReport
    console.log(
      Object.entries(report.losses)
        .map(([loss, { count }]) => `${count} ${loss}`)
        .join('\n'),
    )
    expect(report.upstream).toMatchObject({ source: 'litellm', rows: 2986 })
    const served = new Map(resources.map((one) => [one.resource_id, one]))
    // They are LiteLLM's own, and the report says so.
    const stays = new Set(
      Object.entries(report.losses).flatMap(([loss, { of }]) =>
        loss.startsWith('resources') ? Object.keys(of) : [],
      ),
    )
    const dusty = records.filter((record) => {
      const { input_per_mtok, output_per_mtok, cached_input_per_mtok } =
        served.get(record.resource_id) ?? record
      if (stays.has(record.resource_id)) return false
      return (
        input_per_mtok !== record.input_per_mtok ||
        output_per_mtok !== record.output_per_mtok ||
        cached_input_per_mtok !== record.cached_input_per_mtok
      )
    })
    expect(dusty).toEqual([])
  })

  test("and LiteLLM's form of it is loaded as a source, every row", async () => {
    const text = await readFile(join(folder, 'litellm'), 'utf8')
    const report = await runFeed(fresh.db, { source: 'litellm', input: { text }, alerts: null })
    expect(report.outcome).toBe('applied')
    // Of its own rows, those that are refused in its own file too.
    const own = readLitellm(JSON.parse(priceFile('litellm/model_prices_2026-08-01.json')))
    const refused = new Set(own.rejected.map(({ id }) => id))
    expect(report.rejected.filter(({ id }) => !refused.has(id))).toEqual([])
    console.log(`${report.added.length} added, ${report.held.length} held`)
  })

  interface Run {
    stdout: string
    ms: number
    /** As seen last, up to 50 ms before its end. */
    cpuMs: number
    peakMb: number
  }

  async function run(args: string[]): Promise<Run> {
    const startedAt = performance.now()
    const env = { ...process.env, DATABASE_URL: database.url }
    const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    let [cpuMs, peakMb] = [0, 0]
    const watch = setInterval(() => {
      void (async () => {
        const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
        peakMb = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1e3
        // After the name of the program: fields 14 and 15 are its time in ticks of 10 ms.
        const [, fields = ''] = (await readFile(`/proc/${child.pid}/stat`, 'utf8')).split(') ')
        cpuMs =
          fields
            .split(' ')
            .slice(11, 13)
            .map(Number)
            .reduce((sum, ticks) => sum + ticks) * 10
      })().catch(() => undefined)
    }, 50)
    const [code] = (await once(child, 'close')) as [number]
    clearInterval(watch)
    expect(code).toBe(0)
    return { stdout, ms: performance.now() - startedAt, cpuMs, peakMb }
  }
})
