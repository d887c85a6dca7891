import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { connect, type Db } from '../../../apps/server/src/database/connect.ts'
import { migrate } from '../../../apps/server/src/database/migrate.ts'
import { joinHub } from '../../../apps/server/src/features/cells/cell.ts'
import { publishFeed } from '../../../apps/server/src/features/cells/hub.ts'
import { beat } from '../../../apps/server/src/features/cells/pulse.ts'
import type { PriceRecord } from '../../../apps/server/src/catalog/price-record.ts'
import { writePrices } from '../../../apps/server/src/catalog/write-prices.ts'
import { startMeter } from '../api/metering.ts'
import type { Cluster } from '../frame/database.ts'
import { counted, figureOf, median, say, shown, sumOf, type Figure, type Table } from '../frame/figures.ts'
import type { Effort } from '../frame/rounds.ts'
import { cpuMicrosOf, treeCpuMicrosOf } from '../frame/machine.ts'

// What a hub does for a cell. A sender reads all of the hub's log and sends what is published, so three things are
// measured for each sender: a price file, a unit that the hub counts for accounts of its own, and a minute of nothing.

/** As many as genai-prices has. */
const rowsPerFile = 1_694
/** The system counts CPU time in steps of 10 ms: several files are one measurement. */
const filesPerRound = 8

export async function measureFeed(
  hub: Cluster,
  clusters: readonly Cluster[],
  { rounds, roundMs }: Effort,
): Promise<{ tables: Table[]; figures: Figure[] }> {
  await using running = new AsyncDisposableStack()
  const home = running.use(await hub.openDatabase('hub'))
  const { db, connectionString: hubUrl } = home
  await writeFile(db, 0)
  await publishFeed(db, { role: new URL(hubUrl).username, mark: null })
  const cells: { cluster: Cluster; db: Db }[] = []
  const files: FileCost[][] = []
  let generation = 1
  for (const [index, cluster] of clusters.entries()) {
    const cell = running.use(connect({ connectionString: await cluster.createDatabase('cell') }))
    await migrate(cell)
    await joinHub(cell, { mark: `c${index}`, hubUrl, hub: db, replace: false, say })
    cells.push({ cluster, db: cell })
    const costs: FileCost[] = []
    for (; costs.length < rounds; generation += filesPerRound)
      costs.push(await measureFiles(db, cells, generation))
    files.push(costs)
    say(`A price file, ${cells.length} cells: ${shown(median(costs.map(({ ms }) => ms)))} ms to all of them`)
  }

  const meter = running.use(await startMeter(home))
  const unitMicros: number[] = []
  const idleMicros: number[] = []
  while (unitMicros.length < rounds) {
    const used = await watchSenders(db)
    const { units } = await meter.run({ how: 'meter', keys: home.keys, inFlight: 192, durationMs: roundMs })
    await untilRead(db)
    unitMicros.push(used() / units)
    const usedIdly = await watchSenders(db)
    const startedMs = performance.now()
    while (performance.now() - startedMs < roundMs) {
      await beat(db)
      await setTimeout(500)
    }
    idleMicros.push((1_000 * usedIdly()) / (performance.now() - startedMs))
  }

  const middle = (costs: readonly FileCost[], pick: keyof FileCost) => median(costs.map((cost) => cost[pick]))
  const figures = [
    figureOf(
      'hub, a price file: CPU of a sender',
      'µs',
      files.flat().map(({ senderMicros }) => senderMicros),
    ),
    figureOf('hub, a unit of its own: CPU of a sender', 'µs', unitMicros),
    figureOf('hub, a second of nothing: CPU of a sender', 'µs', idleMicros),
  ]
  const fileTable: Table = {
    title: `A price file in which all ${counted(rowsPerFile)} prices move`,
    head: [
      ...['cells', 'CPU of a sender, ms', 'CPU of a cell, ms', 'sent to a cell, KB'],
      'in all cells after, ms',
    ],
    rows: files.map((costs, index) => [
      String(index + 1),
      shown(middle(costs, 'senderMicros') / 1_000),
      shown(middle(costs, 'applyMicros') / 1_000),
      shown(middle(costs, 'bytes') / 1_024),
      shown(middle(costs, 'ms')),
    ]),
  }
  return { tables: [fileTable, curveTable(figures, middle(files.at(-1)!, 'bytes'))], figures }
}

type FileCost = Awaited<ReturnType<typeof measureFiles>>

async function measureFiles(hub: Db, cells: readonly { cluster: Cluster; db: Db }[], generation: number) {
  const used = await watchSenders(hub)
  const ofCells = () => sumOf(cells.map(({ cluster }) => treeCpuMicrosOf(cluster.pid)))
  const before = { cells: ofCells(), bytes: await sentBytes(hub) }
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
  const each = filesPerRound * cells.length
  return {
    senderMicros: used() / filesPerRound,
    applyMicros: (ofCells() - before.cells) / each,
    bytes: ((await sentBytes(hub)) - before.bytes) / each,
    ms: ms / filesPerRound,
  }
}

/** The CPU that a sender has used from now on, of all that there are. */
async function watchSenders(hub: Db): Promise<() => number> {
  const query = sql<{ pid: number }>`
    select active_pid as pid from pg_replication_slots where active and slot_name like 'ratecard%'`
  const { rows } = await query.execute(hub)
  const cpu = () => sumOf(rows.map(({ pid }) => cpuMicrosOf(pid))) / rows.length
  const before = cpu()
  return () => cpu() - before
}

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
  const vendor = `vendor-${index % 40}`
  return {
    ...{ resource_id: `${vendor}:model-${index}`, product_id: `${vendor}/model-${index}` },
    ...{ vendor, platform: vendor, modality: 'llm', region: null, unit: '1m_tokens', currency: 'USD' },
    input_per_mtok: `${1 + (generation % 7)}.25`,
    output_per_mtok: `${3 + (generation % 11)}.5`,
    cached_input_per_mtok: null,
    ...{ image_per_unit: null, audio_per_min: null, video_per_sec: null },
    ...{ source_url: 'https://vendor.example/pricing', effective_at: null },
  }
}

/** What the hub spends for many cells, from what it spends for one. Its own commits are not in it. */
function curveTable(figures: readonly Figure[], bytesPerFile: number): Table {
  const [microsPerFile, microsPerUnit, microsPerIdleSecond] = figures.map(({ value }) => value)
  const filesPerDay = 96
  const unitsPerSecond = 1_000
  const fileShare = (microsPerFile! * filesPerDay) / 86_400 / 1e6
  const idleShare = microsPerIdleSecond! / 1e6
  const unitShare = (microsPerUnit! * unitsPerSecond) / 1e6
  return {
    title: 'The hub, by arithmetic from one sender: what its senders take of a core, and what one file sends',
    head: [
      'cells',
      `% of a core, ${filesPerDay} such files a day`,
      `and ${counted(unitsPerSecond)} units/s of its own`,
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
