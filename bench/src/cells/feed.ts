import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { connect, type Db } from '../../../apps/server/src/database/connect.ts'
import { migrate } from '../../../apps/server/src/database/migrate.ts'
import { joinHub } from '../../../apps/server/src/features/cells/cell.ts'
import { publishFeed } from '../../../apps/server/src/features/cells/hub.ts'
import { beat } from '../../../apps/server/src/features/cells/pulse.ts'
import type { PriceRecord } from '../../../apps/server/src/features/prices/price-record.ts'
import { writePrices } from '../../../apps/server/src/features/prices/write-prices.ts'
import type { MeterJob, MeterResult } from '../api/meter-process.ts'
import { startJobRunner } from '../api/processes.ts'
import { cpuMicrosOf, treeCpuMicrosOf } from '../api/usage.ts'
import { prepareDatabase, type Cluster } from '../database.ts'
import { figureOf, say, shown, type Figure, type Table } from '../figures.ts'
import { median } from '../statistics.ts'

// What a hub does for a cell. A sender reads all of the hub's log and sends what is published, so three things are
// measured for each sender: a price file, a unit that the hub counts for accounts of its own, and a minute of nothing.

/** As many as genai-prices has. */
const rowsPerFile = 1_694
/** The system counts CPU time in steps of 10 ms: several files are one measurement. */
const filesPerRound = 8

interface FileCost {
  senderMicros: number
  applyMicros: number
  bytes: number
  ms: number
}

/** What one more cell costs the hub. */
export interface PerCell {
  microsPerFile: number
  bytesPerFile: number
  microsPerUnit: number
  microsPerIdleSecond: number
}

export async function measureFeed(
  hub: Cluster,
  clusters: readonly Cluster[],
  { rounds, roundMs }: { rounds: number; roundMs: number },
): Promise<{ tables: Table[]; figures: Figure[]; perCell: PerCell }> {
  await using running = new AsyncDisposableStack()
  const hubUrl = await hub.createDatabase('hub')
  const home = running.use(await prepareDatabase(hubUrl))
  const { db } = home
  await writeFile(db, 0)
  const { username } = new URL(hubUrl)
  await publishFeed(db, { role: username, mark: null })
  const cells: { cluster: Cluster; db: Db }[] = []
  const files = new Map<number, FileCost[]>()
  let generation = 1
  for (const [index, cluster] of clusters.entries()) {
    const cell = running.use(connect({ connectionString: await cluster.createDatabase('cell') }))
    await migrate(cell)
    await joinHub(cell, { mark: `c${index}`, hubUrl, hub: db, replace: false, say })
    cells.push({ cluster, db: cell })
    const costs: FileCost[] = []
    for (let round = 0; round < rounds; round += 1) {
      costs.push(await measureFiles(db, cells, generation))
      generation += filesPerRound
    }
    files.set(cells.length, costs)
    say(`A price file, ${cells.length} cells: ${shown(median(costs.map(({ ms }) => ms)))} ms to all of them`)
  }

  const meter = running.use(
    await startJobRunner<MeterJob, MeterResult>('api/meter-process.ts', { DATABASE_URL: hubUrl }),
  )
  const unitMicros: number[] = []
  const idleMicros: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const pids = await senders(db)
    const before = cpuOf(pids)
    const { units } = await meter.run({ how: 'meter', keys: home.keys, inFlight: 192, durationMs: roundMs })
    await untilRead(db)
    unitMicros.push((cpuOf(pids) - before) / pids.length / units)
    const idleBefore = cpuOf(pids)
    const startedMs = performance.now()
    while (performance.now() - startedMs < roundMs) {
      await beat(db)
      await setTimeout(500)
    }
    const seconds = (performance.now() - startedMs) / 1_000
    idleMicros.push((cpuOf(pids) - idleBefore) / pids.length / seconds)
  }

  const of = (count: number, pick: (cost: FileCost) => number) => files.get(count)!.map(pick)
  const perSender = [...files.keys()].flatMap((count) => of(count, ({ senderMicros }) => senderMicros))
  const perCell: PerCell = {
    microsPerFile: median(perSender),
    bytesPerFile: median(of(cells.length, ({ bytes }) => bytes)),
    microsPerUnit: median(unitMicros),
    microsPerIdleSecond: median(idleMicros),
  }
  return {
    perCell,
    tables: [
      {
        title: `A price file in which all ${rowsPerFile.toLocaleString('en-US')} prices move`,
        head: [
          'cells',
          'CPU of a sender, ms',
          'CPU of a cell, ms',
          'sent to a cell, KB',
          'in all cells after, ms',
        ],
        rows: [...files.keys()].map((count) => [
          String(count),
          shown(median(of(count, ({ senderMicros }) => senderMicros)) / 1_000),
          shown(median(of(count, ({ applyMicros }) => applyMicros)) / 1_000),
          shown(median(of(count, ({ bytes }) => bytes)) / 1_024),
          shown(median(of(count, ({ ms }) => ms))),
        ]),
      },
    ],
    figures: [
      figureOf('hub, a price file: CPU of a sender', 'µs', perSender),
      figureOf('hub, a unit of its own: CPU of a sender', 'µs', unitMicros),
      figureOf('hub, a second of nothing: CPU of a sender', 'µs', idleMicros),
    ],
  }
}

async function measureFiles(
  hub: Db,
  cells: readonly { cluster: Cluster; db: Db }[],
  generation: number,
): Promise<FileCost> {
  const pids = await senders(hub)
  const ofCells = () => cells.reduce((sum, { cluster }) => sum + treeCpuMicrosOf(cluster.pid), 0)
  const before = { senders: cpuOf(pids), cells: ofCells(), bytes: await sentBytes(hub) }
  let ms = 0
  for (let file = 0; file < filesPerRound; file += 1) {
    await writeFile(hub, generation + file)
    const startedMs = performance.now()
    const version = await versionOf(hub)
    await Promise.all(cells.map(({ db }) => untilVersion(db, version)))
    ms += performance.now() - startedMs
  }
  // What was sent is counted a moment later.
  await setTimeout(500)
  const each = filesPerRound * pids.length
  return {
    senderMicros: (cpuOf(pids) - before.senders) / each,
    applyMicros: (ofCells() - before.cells) / each,
    bytes: ((await sentBytes(hub)) - before.bytes) / each,
    ms: ms / filesPerRound,
  }
}

async function senders(hub: Db): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select active_pid as pid from pg_replication_slots where active and slot_name like 'ratecard%'`.execute(
    hub,
  )
  return rows.map(({ pid }) => pid)
}

const cpuOf = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + cpuMicrosOf(pid), 0)

/** What senders have decoded for their cells, which is close to what they have sent. */
async function sentBytes(hub: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(total_bytes), 0)::float8 as bytes from pg_stat_replication_slots`.execute(hub)
  return rows[0]!.bytes
}

async function versionOf(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select version from list_versions where list = 'prices'`.execute(db)
  return rows[0]!.version
}

/** Until a cell serves what the hub does. */
async function untilVersion(cell: Db, version: number): Promise<void> {
  while ((await versionOf(cell)) !== version) await setTimeout(1)
}

/** Until each sender has read all that the hub has written so far. */
async function untilRead(hub: Db): Promise<void> {
  const { rows } = await sql<{ at: string }>`select pg_current_wal_lsn()::text as at`.execute(hub)
  for (;;) {
    const { rows: behind } = await sql`
      select from pg_stat_replication where sent_lsn < ${rows[0]!.at}::pg_lsn limit 1`.execute(hub)
    if (behind.length === 0) return
    await setTimeout(2)
  }
}

async function writeFile(hub: Db, generation: number): Promise<void> {
  const writes = Array.from({ length: rowsPerFile }, (_, index) => ({
    record: priceOf(index, generation),
    source: 'bench',
    rates: null,
  }))
  const options = { runId: null, observedAt: new Date().toISOString() }
  await hub.transaction().execute((trx) => writePrices(trx, writes, options))
}

function priceOf(index: number, generation: number): PriceRecord {
  return {
    resource_id: `vendor-${index % 40}:model-${index}`,
    product_id: `vendor-${index % 40}/model-${index}`,
    vendor: `vendor-${index % 40}`,
    platform: `vendor-${index % 40}`,
    modality: 'llm',
    region: null,
    unit: '1m_tokens',
    input_per_mtok: `${1 + (generation % 7)}.25`,
    output_per_mtok: `${3 + (generation % 11)}.5`,
    cached_input_per_mtok: null,
    image_per_unit: null,
    audio_per_min: null,
    video_per_sec: null,
    currency: 'USD',
    source_url: 'https://vendor.example/pricing',
    effective_at: null,
  }
}

/** What the hub spends for many cells, from what it spends for one. Its own commits are not in it. */
export function curveTable({
  microsPerFile,
  bytesPerFile,
  microsPerUnit,
  microsPerIdleSecond,
}: PerCell): Table {
  const filesPerDay = 96
  const unitsPerSecond = 1_000
  const secondsPerDay = 86_400
  const fileShare = (microsPerFile * filesPerDay) / secondsPerDay / 1e6
  const idleShare = microsPerIdleSecond / 1e6
  const unitShare = (microsPerUnit * unitsPerSecond) / 1e6
  return {
    title: 'The hub, by arithmetic from one sender: what its senders take of a core, and what one file sends',
    head: [
      'cells',
      `% of a core, ${filesPerDay} such files a day`,
      `and ${unitsPerSecond.toLocaleString('en-US')} units/s of its own`,
      'MB sent for a file',
    ],
    rows: [1, 3, 10, 30, 100].map((cells) => [
      String(cells),
      shown(100 * cells * (fileShare + idleShare)),
      shown(100 * cells * (fileShare + idleShare + unitShare)),
      shown((cells * bytesPerFile) / 2 ** 20),
    ]),
  }
}
