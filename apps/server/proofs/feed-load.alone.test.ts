import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { listPrices } from '../src/catalog/price-store.ts'
import { priceDataDir, skipTitle } from '../test/support/price-files.ts'
import { useDatabase } from '../test/support/postgres.ts'

// Every source there is, as published, by the command: what an operator does on the first day.

const database = useDatabase()
const program = fileURLToPath(new URL('../bin/ratecard.js', import.meta.url))

/** After the last period of llm-prices has begun. */
const observedAt = '2026-11-01T00:00:00Z'

/** Rows are the source's own count; `beside` says what its file has more of. */
const files = [
  { source: 'litellm', path: 'litellm/model_prices_2026-08-01.json', rows: 2_984, beside: 2 },
  // A preview that its file names by its date as well.
  { source: 'genai-prices', path: 'genai-prices/data_v2_2026-08-21.json', rows: 1_466, beside: 1 },
  {
    source: 'llm-prices',
    path: 'llm-prices/historical-v1_equivalent_2026-08-05.json',
    rows: 148,
    beside: 0,
  },
  { source: 'models.dev', path: 'models.dev/api_equivalent_2026-07-02.json', rows: 5_276, beside: 0 },
  { source: 'openrouter', path: 'openrouter/models_2026-08-01.json', rows: 336, beside: 0 },
  // 46 defaults of providers, and a model inside another's entry.
  { source: 'portkey', path: 'portkey/pricing_2026-08-21.tar.gz', rows: 3_184, beside: 47 },
]

interface Report {
  rows: number
  added: unknown[]
  changed: unknown[]
  unchanged: number
  rejected: { id: string; reason: string }[]
  changes: unknown[]
}

describe.skipIf(priceDataDir === undefined)(skipTitle('all sources'), () => {
  test(
    'load whole, soundly, in bounded time and memory; a second load changes nothing',
    { timeout: 300_000 },
    async () => {
      const lines: string[] = []
      let totalMs = 0
      for (const { source, path, rows, beside } of files) {
        const { report, ms, peakMb } = await run(source, path)
        totalMs += ms
        lines.push(
          `${source}: ${report.added.length} added, ${report.changed.length} changed, ${report.unchanged} as served, ` +
            `${report.rejected.length} refused; ${Math.round(ms)} ms, ${Math.round(peakMb)} MB`,
        )
        expect(report.rows).toBe(rows + beside)
        expect(report.added.length + report.changed.length + report.unchanged + report.rejected.length).toBe(
          report.rows,
        )
        expect(report.rejected.every(({ id, reason }) => id !== '' && reason !== '')).toBe(true)
        expect(report.changes).toEqual([])
        expect(peakMb).toBeLessThan(500)
      }
      console.log(`${lines.join('\n')}\nall: ${Math.round(totalMs)} ms`)
      expect(totalMs).toBeLessThan(60_000)

      const { rows } = await listPrices(database.db, {}, { cursor: null, limit: 100_000 })
      const bad = rows.flatMap((row) =>
        Object.entries(row).flatMap(([field, value]) =>
          /_per_/.test(field) && value !== null && !isSound(value)
            ? [`${row.resource_id} ${field} ${String(value)}`]
            : [],
        ),
      )
      expect(bad).toEqual([])

      const before = await served()
      for (const { source, path } of files) {
        const { report } = await run(source, path)
        expect([source, report.added, report.changed, report.changes]).toEqual([source, [], [], []])
      }
      expect(await served()).toEqual(before)
    },
  )
})

function isSound(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) && !/\d{10,}/.test(String(value))
}

async function run(source: string, path: string): Promise<{ report: Report; ms: number; peakMb: number }> {
  const started = performance.now()
  const file = join(priceDataDir ?? '', path)
  const args = ['feed', 'run', source, '--file', file, '--observed-at', observedAt, '--json']
  const child = spawn(process.execPath, [program, ...args], {
    env: {
      PATH: process.env.PATH ?? '',
      DATABASE_URL: database.url,
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  let peakMb = 0
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  const watch = setInterval(() => (peakMb = Math.max(peakMb, peakOf(child.pid))), 20)
  const [exitCode] = (await once(child, 'close')) as [number | null]
  clearInterval(watch)
  expect(exitCode).toBe(0)
  return { report: JSON.parse(text) as Report, ms: performance.now() - started, peakMb }
}

/** The most memory a process has had so far, in MB; 0 where the system does not say. */
function peakOf(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
  } catch {
    return 0
  }
}

async function served(): Promise<unknown[]> {
  const { rows } = await sql`select * from prices order by resource_id`.execute(database.db)
  return rows
}
