import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { test } from 'vitest'
import { createFeeder } from './support/feed-runs.ts'
import { useDatabase } from './support/postgres.ts'

const database = useDatabase()
const feed = createFeeder(() => database.db)
const D = '/work/shared/data/'
test('six', { timeout: 600_000 }, async () => {
  const files: [string, string, string][] = [
    ['models.dev', '2026-07-02T00:00:00Z', 'models.dev/api_equivalent_2026-07-02.json'],
    ['litellm', '2026-08-01T00:00:00Z', 'litellm/model_prices_2026-08-01.json'],
    ['openrouter', '2026-08-01T01:00:00Z', 'openrouter/models_2026-08-01.json'],
    ['llm-prices', '2026-08-05T00:00:00Z', 'llm-prices/historical-v1_equivalent_2026-08-05.json'],
    ['genai-prices', '2026-08-21T00:00:00Z', 'genai-prices/data_v2_2026-08-21.json'],
    ['portkey', '2026-08-21T01:00:00Z', 'portkey/pricing_2026-08-21.tar.gz'],
  ]
  const order = process.env['ORDER'] === 'reverse' ? files.toReversed() : files
  for (const [source, at, file] of order) {
    const bytes = readFileSync(D + file)
    const t0 = performance.now()
    const run = await feed(at, '', {
      source: source as 'litellm',
      input: file.endsWith('gz') ? { bytes: gunzipSync(bytes) } : { text: bytes.toString() },
    })
    console.log(
      source,
      run.outcome,
      run.message,
      run.rows,
      'added',
      run.added.length,
      'changed',
      run.changed.length,
      'held',
      run.held.length,
      'changes',
      run.changes.length,
      Math.round(performance.now() - t0),
      'ms',
      Math.round(process.memoryUsage().rss / 1e6),
      'MB',
    )
    const reasons = Object.entries(Object.groupBy(run.held, (h) => h.reason)).map(
      ([k, v]) => `${k} ${v!.length}`,
    )
    if (reasons.length) console.log('  ', reasons.join(', '))
  }
  const { rows } =
    await sql`select count(*) n, count(*) filter (where is_confirmed) confirmed, count(*) filter (where is_confirmed is not null) priced from price_standings`.execute(
      database.db,
    )
  console.log(rows)
  const q = async (text: string) =>
    console.log(text.slice(0, 70), (await sql.raw(text).execute(database.db)).rows)
  await q(`select platform, count(*) from prices where platform in ('openrouter','openai') group by 1`)
  await q(`select reason, count(*) from feed_holds where state='open' group by 1`)
  const { rows: held } =
    await sql<any>`select h.source, h.resource_id, reason, h.before, h.after, p.product_id, (select json_agg(json_build_array(q.platform, trim_scale(q.input_per_mtok)::text, trim_scale(q.output_per_mtok)::text)) from (select * from prices q where q.product_id = p.product_id and q.input_per_mtok is not null limit 8) q) as peers from feed_holds h left join prices p using (resource_id) where state='open' order by 3, 1,2`.execute(
      database.db,
    )
  for (const h of held)
    console.log(
      h.reason,
      h.source,
      h.resource_id,
      JSON.stringify(h.after),
      h.product_id,
      (h.peers ?? []).map((x: any) => x.slice(1).join('/')).join(' '),
    )
  await q(
    `select count(*) from prices where input_per_mtok is null and output_per_mtok is null and image_per_unit is null and audio_per_min is null and video_per_sec is null`,
  )
  await q(
    `select resource_id, trim_scale(input_per_mtok)::text i, trim_scale(output_per_mtok)::text o, source from prices where resource_id in ('mistral:mistral-large-latest','deepseek:deepseek-chat','deepseek:deepseek-reasoner','openai:gpt-4o','openai:o3','anthropic:claude-sonnet-4-5')`,
  )
})
