import { writeFileSync } from 'node:fs'
import { test } from 'vitest'
import { createFeeder } from '../test/support/feed-runs.ts'
import { useDatabase } from '../test/support/postgres.ts'
import { priceFile, priceDataDir } from '../test/support/price-files.ts'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
const database = useDatabase()
const feed = createFeeder(() => database.db)
const only = process.env['ONLY'] ?? 'litellm'
test('noise', { timeout: 1_800_000 }, async () => {
  const files: { source: 'litellm' | 'models.dev'; at: string; path: string }[] = []
  if (only === 'litellm') {
    for (const folder of ['litellm', 'litellm/daily', 'litellm/events']) {
      for (const name of readdirSync(join(priceDataDir!, folder))) {
        const m = /(\d{4}-\d{2}-\d{2})(?:T(\d{2}))?\.json(?:\.gz)?$/.exec(name)
        if (!m || !/model_prices|\.\d-/.test(name)) continue
        files.push({ source: 'litellm', at: `${m[1]}T${m[2] ?? '00'}:59:59Z`, path: `${folder}/${name}` })
      }
    }
  } else {
    files.push({ source: 'models.dev', at: '2026-06-15T00:00:00Z', path: 'models.dev/api_equivalent_2026-06-15.json.gz' })
    files.push({ source: 'models.dev', at: '2026-07-02T00:00:00Z', path: 'models.dev/api_equivalent_2026-07-02.json' })
    files.push({ source: 'models.dev', at: '2026-07-03T12:00:00Z', path: 'models.dev/api_equivalent_2026-07-02.json' })
  }
  files.sort((a, b) => (a.at < b.at ? -1 : 1))
  for (const { source, at, path } of files) {
    const t = performance.now()
    const run = await feed(at, priceFile(path), { source })
    console.log(path, run.outcome, run.message, 'changes', run.changes.length, 'alerts', run.changes.filter((c) => c.severity >= 3).length, 'held', run.held.length, Math.round(performance.now() - t))
  }
  const rows = await database.db.selectFrom('changes').selectAll().execute()
  const alternatives = await database.db.selectFrom('change_alternatives').selectAll().execute()
  const evidence = await database.db.selectFrom('change_evidence').selectAll().execute()
  writeFileSync(`/tmp/words-${only}.json`, JSON.stringify({ rows, evidence, alternatives }))
  console.log(files.length, rows.length)
})
