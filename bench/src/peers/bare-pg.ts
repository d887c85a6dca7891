import pg from 'pg'
import type { LoadJob, LoadResult } from '../api/load.ts'
import { percentile } from '../frame/figures.ts'
import { takeJobs } from '../frame/processes.ts'
import { given, cursorAfter, servedPrice } from './peer.ts'

// The limit of a page that is not cached: PostgreSQL makes its JSON, and `pg` fetches it as text. No key, no HTTP. It is
// asked as the load is, for each path once.

const limit = 100
const connections = 10
const sampleEvery = 500

const statement = `
  select string_agg(row_to_json(page)::text, ',') as data,
    (array_agg(page.updated_at))[${limit}] as last_at, (array_agg(page.resource_id))[${limit}] as last_id
  from (
    select ${servedPrice} from prices where (updated_at, resource_id) < ($1::timestamptz, $2)
    order by prices.updated_at desc, resource_id desc limit ${limit}
  ) page`

const pool = new pg.Pool({ connectionString: given('DATABASE_URL'), max: connections })
await Promise.all(Array.from({ length: connections }, () => pool.query('select 1')))

async function readPage(position: string[]): Promise<string> {
  const query = { name: 'page', text: statement, values: position }
  const { rows } = await pool.query<{ data: string; last_at: string | null; last_id: string | null }>(query)
  const { data = '', last_at = null, last_id = null } = rows[0] ?? {}
  const more = last_at !== null && last_id !== null
  const pagination = more ? `,"pagination":{"next_cursor":"${cursorAfter(last_at, last_id)}"}` : ''
  return `{"schema_version":1,"data":[${data}]${pagination}}`
}

takeJobs(async ({ paths, connections: inFlight, durationMs }: LoadJob): Promise<LoadResult> => {
  const positions = paths.map((path) => {
    const cursor = Buffer.from(path.replace(/.*cursor=/, ''), 'base64url')
    return JSON.parse(cursor.toString()) as [updatedAt: string, id: string]
  })
  const samples: LoadResult['samples'] = []
  const latenciesMs: number[] = []
  const startMs = performance.now()
  let next = 0
  const work = async () => {
    while (performance.now() - startMs < durationMs && next < paths.length) {
      const index = next++
      const askedMs = performance.now()
      const body = await readPage(positions[index]!)
      latenciesMs.push(performance.now() - askedMs)
      if (index % sampleEvery === 0) samples.push({ path: paths[index]!, body })
    }
  }
  await Promise.all(Array.from({ length: inFlight }, work))
  return {
    ...{ answers: latenciesMs.length, otherStatuses: {}, cpuMicros: 0, samples },
    seconds: (performance.now() - startMs) / 1_000,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
  }
})
