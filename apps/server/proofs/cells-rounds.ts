import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import {
  openCellsScene,
  type CellName,
  type CellRound,
  type CellsScene,
} from '../test/support/cells-scene.ts'
import { findProxy } from '../test/support/proxy.ts'
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

// A hub or a cell lost under load, again and again: the table of docs/evidence.md ("A cell or the hub, killed").
//
//   pnpm --filter @ratecard/server failover:cells --rounds 20

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    /** A file for the lines of the rounds, beside the table. */
    log: { type: 'string' },
  },
})

/** How long its machine is away. */
const awayMs = 3_000
const requestsAfter = 60

const faults: Record<string, CellName> = { 'cell killed': 'a1', 'hub killed': 'home' }

interface Round extends CellRound {
  awaySeconds: number
  /** From its return to the last 503 of its accounts. */
  laterSeconds: number
}

async function runRound(scene: CellsScene, name: CellName): Promise<Round> {
  const database = scene.databases[name]
  await scene.serveMore(requestsAfter, name)
  const fromMs = Date.now()
  await database.kill()
  await setTimeout(awayMs)
  await database.revive()
  const backMs = Date.now()
  await scene.serveMore(requestsAfter, name)
  const seen = scene.seen(name, fromMs, Date.now())
  return {
    ...seen,
    awaySeconds: (backMs - fromMs) / 1_000,
    laterSeconds: Math.max(0, ((seen.own.lastUnavailableMs ?? backMs) - backMs) / 1_000),
  }
}

async function rowOf(fault: string): Promise<string> {
  try {
    const scene = await openCellsScene((end) => void ends.push(end))
    const rounds: Round[] = []
    for (let round = 1; round <= Number(options.rounds); round += 1) {
      rounds.push(await runRound(scene, faults[fault]!))
      await note(options.log, { fault, round, ...rounds.at(-1) })
    }
    const ended = scene.servers.filter(({ child }) => child.exitCode !== null).length
    const verdict = await scene.settle()
    await note(options.log, { fault, ...verdict, ended })
    const of = (pick: (round: Round) => number, digits = 1) => medianAndMost(rounds.map(pick), digits)
    const failed = ({ others, unavailable }: CellRound['others']) =>
      unavailable + Object.values(others).reduce((sum, count) => sum + count, 0)
    return [
      fault,
      rounds.length,
      of(({ awaySeconds }) => awaySeconds),
      of(({ own }) => own.secondsWithoutAnswers),
      of(({ laterSeconds }) => laterSeconds),
      of(({ own }) => own.unavailable, 0),
      rounds.reduce((sum, { own }) => sum + failed(own) - own.unavailable, 0),
      rounds.reduce((sum, { others }) => sum + failed(others), 0),
      ...verdictCells(verdict),
      ended,
    ].join(' | ')
  } finally {
    await endScene()
  }
}

const head =
  'fault | rounds | away, s | without answers, s | last 503 after its return, s | 503s | other errors | errors of the others | ' +
  verdictHead

async function main(): Promise<void> {
  if (findProxy('haproxy') === null) throw new Error('No cells can be led here: haproxy is not installed.')
  requireRounds(options.rounds)
  endWhenInterrupted('the databases are ended', endScene)
  const rows: string[] = []
  for (const fault of Object.keys(faults)) rows.push(await rowOf(fault))
  printTable(head, rows)
}

await main()
