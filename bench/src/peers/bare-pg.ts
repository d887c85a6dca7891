import pg from 'pg'
import { takeJobs } from '../frame/processes.ts'
import { given } from './peer.ts'
import { cursorAfter, servedPrice } from './queries.ts'

// The limit of a page that is not cached: PostgreSQL makes its JSON, and `pg` fetches it as text. No key, no HTTP.

export interface FetchPages {
  /** The positions after which pages are fetched, each once. */
  cursors: { updatedAt: string; id: string }[]
  inFlight: number
  durationMs: number
}

export interface FetchedPages {
  pages: number
  seconds: number
  latenciesMs: number[]
  /** Some of them, each with the index of its position. */
  samples: { index: number; body: string }[]
}

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

async function readPage(updatedAt: string, id: string): Promise<string> {
  const { rows } = await pool.query<{ data: string; last_at: string | null; last_id: string | null }>({
    name: 'page',
    text: statement,
    values: [updatedAt, id],
  })
  const { data = '', last_at = null, last_id = null } = rows[0] ?? {}
  const more = last_at !== null && last_id !== null
  const pagination = more ? `,"pagination":{"next_cursor":"${cursorAfter(last_at, last_id)}"}` : ''
  return `{"schema_version":1,"data":[${data}]${pagination}}`
}

async function fetchPages({ cursors, inFlight, durationMs }: FetchPages): Promise<FetchedPages> {
  const samples: FetchedPages['samples'] = []
  const latenciesMs: number[] = []
  const startMs = performance.now()
  let next = 0
  const work = async () => {
    while (performance.now() - startMs < durationMs) {
      const index = next++
      const cursor = cursors[index]
      if (!cursor) return
      const askedMs = performance.now()
      const body = await readPage(cursor.updatedAt, cursor.id)
      latenciesMs.push(performance.now() - askedMs)
      if (index % sampleEvery === 0) samples.push({ index, body })
    }
  }
  await Promise.all(Array.from({ length: inFlight }, work))
  const seconds = (performance.now() - startMs) / 1_000
  return { pages: latenciesMs.length, seconds, latenciesMs, samples }
}

takeJobs(fetchPages)
