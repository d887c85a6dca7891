import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openFailoverScene, type FailoverScene } from '../test/support/failover-scene.ts'
import type { Seen, Verdict } from '../test/support/failover-verdict.ts'
import { whyNoNetwork } from '../test/support/node-network.ts'
import { startPatroni, whyNoPatroni, type Patroni } from '../test/support/patroni.ts'
import { pgbouncer, startPooler, type Pooler } from '../test/support/pgbouncer.ts'
import { ratecard } from '../test/support/process.ts'
import { copyTree, released, unpackCommit, whyNoReleased } from '../test/support/release-tree.ts'
import {
  ends,
  endScene,
  endWhenInterrupted,
  medianAndMost,
  note,
  printTable,
  requireRounds,
  verdictCells,
  verdictHead,
} from '../test/support/rounds.ts'

// Faults under load, again and again: the table of docs/evidence.md ("A primary that moves").
//
//   pnpm --filter @ratecard/server failover --rounds 20
//   pnpm --filter @ratecard/server failover --rounds 5 --only 'primary killed,switchover' --asynchronous

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    /** Names of faults, with commas between. Default: all. */
    only: { type: 'string' },
    /** Without synchronous mode: what is lost then. */
    asynchronous: { type: 'boolean', default: false },
    /** `etcd3`: Patroni speaks with etcd by version 3 of its interface, and not by version 2. */
    etcd: { type: 'string', default: 'etcd' },
    /** A file for the lines of the rounds, beside the table. */
    log: { type: 'string' },
  },
})

interface Stage {
  cluster: Patroni
  scene: FailoverScene
  pooler: Pooler | null
}

interface Fault {
  /** Once, before the rounds. */
  begin?: (stage: Stage) => Promise<void>
  /** Makes it, and returns once the database can be used again, with the time from which it can, if Patroni says one. */
  strike: (stage: Stage) => Promise<number | null>
  /** Makes everything whole after it. */
  mend?: (stage: Stage) => Promise<void>
  needsNetwork?: true
  behindPooler?: true
}

/** A fault of the primary, after which another node is one. */
function ofPrimary(
  hit: (stage: Stage, leader: Awaited<ReturnType<Patroni['leader']>>) => unknown,
  undo: (stage: Stage, leader: Awaited<ReturnType<Patroni['leader']>>) => unknown,
): Pick<Fault, 'strike' | 'mend'> {
  let struck: (stage: Stage) => unknown = () => undefined
  return {
    strike: async (stage) => {
      const leader = await stage.cluster.leader()
      struck = () => undo(stage, leader)
      const fromMs = Date.now()
      await hit(stage, leader)
      return stage.cluster.promotedMs(fromMs)
    },
    mend: async (stage) => {
      await struck(stage)
      await stage.cluster.whole()
    },
  }
}

const faults: Record<string, Fault> = {
  'primary killed': ofPrimary(
    ({ cluster }, leader) => cluster.kill(leader),
    ({ cluster }, leader) => cluster.start(leader),
  ),
  switchover: ofPrimary(
    ({ cluster }) => cluster.switchover(),
    () => undefined,
  ),
  'network cut': {
    needsNetwork: true,
    ...ofPrimary(
      ({ cluster }, leader) => cluster.network?.cut(cluster.indexOf(leader)),
      ({ cluster }, leader) => cluster.network?.mend(cluster.indexOf(leader)),
    ),
  },
  'primary alone with its clients': {
    needsNetwork: true,
    ...ofPrimary(
      ({ cluster }, leader) => cluster.network?.isolate(cluster.indexOf(leader)),
      ({ cluster }, leader) => cluster.network?.mend(cluster.indexOf(leader)),
    ),
  },
  'Patroni frozen without its PostgreSQL': ofPrimary(
    ({ cluster }, leader) => cluster.freeze(leader),
    ({ cluster }, leader) => cluster.thaw(leader),
  ),
  'primary cut off and Patroni frozen in its round': {
    needsNetwork: true,
    ...ofPrimary(
      async ({ cluster }, leader) => {
        await cluster.freezeInRound(leader)
        cluster.network?.cut(cluster.indexOf(leader))
      },
      async ({ cluster, scene }, leader) => {
        cluster.network?.mend(cluster.indexOf(leader))
        cluster.thaw(leader)
        // Whatever it does now, there are requests after it.
        await setTimeout(5_000)
        await scene.serveMore(requestsAfter)
      },
    ),
  },
  'standby lost': {
    strike: async ({ cluster, scene }) => {
      const standby = await cluster.syncStandby()
      await cluster.kill(standby)
      await scene.serveMore(100)
      await cluster.start(standby)
      return null
    },
    mend: ({ cluster }) => cluster.whole(),
  },
  'pooler restarted': {
    behindPooler: true,
    strike: async ({ pooler }) => {
      await pooler?.kill()
      await pooler?.start()
      return Date.now()
    },
  },
  'servers restarted': {
    strike: async (stage) => {
      await restartBoth(stage)
      return null
    },
  },
  'rolling upgrade': rollingUpgrade(),
}

/** From the last release to the one after it, which brings a migration more in each round, and back on that schema. */
function rollingUpgrade(): Fault {
  let [older, newer, migrations] = ['', '', 0]
  /** A column on the tables that each request needs, while the last release serves. */
  const migrate = async ({ scene }: Stage) => {
    migrations += 1
    const file = join(dirname(newer), '../src/database/migrations', `${9_000 + migrations}_round.sql`)
    const column = `add column round_${migrations} integer`
    await writeFile(file, `alter table usage_days ${column}; alter table api_keys ${column};`)
    const { exitCode, stderr } = await ratecard(['migrate'], scene.env, newer)
    if (exitCode !== 0) throw new Error(stderr)
  }
  return {
    begin: async (stage) => {
      const why = whyNoReleased()
      if (why !== null) throw new Error(why)
      const folder = await mkdtemp(join(tmpdir(), 'ratecard-upgrades-'))
      ends.push(() => rm(folder, { recursive: true, force: true }))
      older = unpackCommit(released.commit, join(folder, 'old'))
      newer = copyTree(join(folder, 'new'), {})
      await restartBoth(stage, older)
    },
    strike: async (stage) => {
      await migrate(stage)
      await restartBoth(stage, newer)
      return null
    },
    mend: (stage) => restartBoth(stage, older),
  }
}

async function restartBoth({ scene }: Stage, from?: string): Promise<void> {
  for (const index of [0, 1]) await scene.restart(index, from)
}

interface Round extends Seen {
  /** From the fault to a new primary, or to the end of it. */
  electionSeconds: number | null
  /** From then to the last 503. */
  laterSeconds: number | null
  /** 503s while what was lost comes back. */
  unavailableAtReturn: number
}

const requestsAfter = 200

async function runRound(fault: Fault, stage: Stage): Promise<Round> {
  await stage.scene.serveMore(requestsAfter)
  const fromMs = Date.now()
  const backMs = await fault.strike(stage)
  await stage.scene.serveMore(requestsAfter)
  const mendMs = Date.now()
  const seen = stage.scene.seen(fromMs, mendMs)
  await fault.mend?.(stage)
  const mended = stage.scene.seen(mendMs, Date.now())
  const { lastUnavailableMs } = seen
  return {
    ...seen,
    others: addUp(seen.others, mended.others),
    unavailableAtReturn: mended.unavailable,
    electionSeconds: backMs === null ? null : (backMs - fromMs) / 1_000,
    laterSeconds: backMs === null || lastUnavailableMs === null ? null : (lastUnavailableMs - backMs) / 1_000,
  }
}

async function runRounds(
  name: string,
  cluster: Patroni,
): Promise<{ rounds: Round[]; verdict: Verdict; ended: number }> {
  const fault = faults[name]!
  const atEnd = (end: () => Promise<void>) => void ends.push(end)
  try {
    const [byProxy, byHosts] = await cluster.createDatabase()
    const pooler = fault.behindPooler ? await startPooler(byProxy, 'transaction', atEnd) : null
    const urls = pooler ? ([pooler.url, pooler.url] as const) : ([byProxy, byHosts] as const)
    const scene = await openFailoverScene(urls, atEnd, { drainDelay: '3s' })
    const stage = { cluster, scene, pooler }
    await fault.begin?.(stage)
    const rounds: Round[] = []
    for (let round = 1; round <= Number(options.rounds); round += 1) {
      // What was counted until then is judged all the same.
      const result = await runRound(fault, stage).catch((error: unknown) => {
        process.stderr.write(`${name}, round ${round}: ${String(error)}\n`)
        return null
      })
      if (!result) break
      rounds.push(result)
      await note(options.log, { fault: name, round, ...result })
    }
    const ended = [...scene.servers, scene.worker].filter(({ child }) => child.exitCode !== null).length
    return { rounds, verdict: await scene.settle(), ended }
  } finally {
    await endScene()
  }
}

function addUp(...all: Record<number, number>[]): Record<number, number> {
  const sum: Record<number, number> = {}
  for (const counts of all)
    for (const [status, count] of Object.entries(counts))
      sum[Number(status)] = (sum[Number(status)] ?? 0) + count
  return sum
}

function rowOf(name: string, { rounds, verdict, ended }: Awaited<ReturnType<typeof runRounds>>): string {
  const of = (pick: (round: Round) => number | null, digits = 1) => {
    const found = rounds.map(pick).filter((value) => value !== null)
    return found.length === 0 ? '–' : medianAndMost(found, digits)
  }
  const others = Object.entries(addUp(...rounds.map(({ others: found }) => found)))
  return [
    name,
    rounds.length,
    of(({ electionSeconds }) => electionSeconds),
    of(({ secondsWithoutAnswers }) => secondsWithoutAnswers),
    of(({ laterSeconds }) => laterSeconds),
    of(({ unavailable }) => unavailable, 0),
    of(({ unavailableAtReturn }) => unavailableAtReturn, 0),
    others.length === 0 ? 0 : others.map(([status, count]) => `${count} × ${status}`).join(', '),
    ...verdictCells(verdict),
    ended,
  ].join(' | ')
}

const head =
  'fault | rounds | election, s | without answers, s | last 503 after the election, s | 503s | 503s at its return | other errors | ' +
  verdictHead

async function main(): Promise<void> {
  if (whyNoPatroni !== null) throw new Error(`No cluster can be started here: ${whyNoPatroni}`)
  requireRounds(options.rounds)
  const noNetwork = whyNoNetwork()
  const only = options.only?.split(',').map((name) => name.trim())
  const unknown = only?.find((name) => !(name in faults))
  if (unknown !== undefined)
    throw new Error(`There is no fault "${unknown}". There are: ${Object.keys(faults).join(', ')}.`)
  const names = (only ?? Object.keys(faults)).filter((name) => {
    const why = faults[name]?.needsNetwork
      ? noNetwork
      : faults[name]?.behindPooler && pgbouncer === null
        ? 'PgBouncer is not installed.'
        : null
    if (why !== null) process.stderr.write(`${name}: not tried. ${why}\n`)
    return why === null
  })
  const cluster = await startPatroni({
    synchronous: !options.asynchronous,
    etcd: options.etcd === 'etcd3' ? 'etcd3' : 'etcd',
    namespaces: noNetwork === null,
  })
  const rows: string[] = []
  endWhenInterrupted('the cluster is ended', () => endScene().finally(() => cluster.end()))
  try {
    for (const name of names) {
      const result = await runRounds(name, cluster)
      await note(options.log, { fault: name, ...result.verdict, ended: result.ended })
      rows.push(rowOf(name, result))
      process.stderr.write(`${rows.at(-1)}\n`)
    }
  } finally {
    await cluster.end()
    printTable(head, rows)
  }
}

await main()
