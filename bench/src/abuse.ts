import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { attacks } from './abuse/attacks/index.ts'
import type { AttackJob, AttackResult } from './abuse/attacker.ts'
import { createCast } from './abuse/cast.ts'
import { openCheckout } from './abuse/checkout.ts'
import type { CustomerJob } from './abuse/customer.ts'
import type { Sample } from './abuse/judge.ts'
import {
  attackTable,
  comparisonTable,
  figuresOf,
  missedAttacks,
  serviceTable,
  type Row,
  type Run,
} from './abuse/report.ts'
import { runRound, startSubject, type Round } from './abuse/round.ts'
import { openCluster } from './database.ts'
import { startJobRunner } from './api/processes.ts'
import { say, shown } from './figures.ts'
import { describeMachine, machineText } from './machine.ts'
import { outputOptions } from './options.ts'
import { reportResults } from './results.ts'

// What a paying customer is served while the server is attacked: one attack after the other, each with stated means.

const { values: options } = parseArgs({
  options: {
    /** Attacks with one of these words in their names. */
    only: { type: 'string', default: '' },
    /** How long each attack lasts, and how long the customer is alone beside it. */
    seconds: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '1' },
    /** The folder of another checkout, installed: its server is attacked. */
    server: { type: 'string' },
    /** The version's name in the tables. Published results of another name stay beside it. */
    label: { type: 'string', default: 'this version' },
    ...outputOptions,
  },
})
const words = options.only.split(',').filter(Boolean)
const chosen = attacks.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
const seconds = positive('seconds', options.seconds)
const rounds = positive('rounds', options.rounds)
if (chosen.length === 0) {
  console.error(`--only names none of: ${attacks.map(({ name }) => name).join('; ')}`)
  process.exit(2)
}

const checkout = await openCheckout(options.server)
const cluster = await openCluster()
const rows: Row[] = chosen.map(({ name, means }) => ({ attack: name, means, rounds: [] }))
try {
  const connectionString = await cluster.createDatabase('abuse')
  const subject = {
    program: checkout.program,
    connectionString,
    logFile: join(cluster.folder, 'abuse.log'),
    // One for all its servers: sessions outlive them.
    env: { SECRETS_KEY: randomBytes(32).toString('base64') },
  }
  const cast = await prepare()
  await using customer = await startJobRunner<CustomerJob, Sample[]>('abuse/customer.ts')
  await using attacker = await startJobRunner<AttackJob, AttackResult>('abuse/attacker.ts')
  for (let number = 1; number <= rounds; number += 1) {
    for (const [index, attack] of chosen.entries()) {
      say(`Round ${number} of ${rounds}, ${index + 1} of ${chosen.length}: ${attack.name}`)
      const round = await runRound(attack, { ...subject, cast, customer, attacker }, seconds * 1_000)
      rows[index]?.rounds.push(round)
      say(`  ${roundText(round)}`)
    }
  }

  async function prepare() {
    say('Filling the database')
    const db = checkout.connect({ connectionString })
    await checkout.migrate(db)
    await using server = await startSubject(subject)
    const prepared = await createCast(checkout, db, server.port)
    await db.destroy()
    return prepared
  }
} finally {
  await cluster.close()
}

const machine = describeMachine({ PostgreSQL: cluster.version })
const run: Run = { label: options.label, machine, seconds, rows }
const noAttacks = missedAttacks(rows)
for (const name of noAttacks) say(`"${name}" did not get through: what was measured beside it says nothing.`)
if (noAttacks.length > 0) process.exitCode = 1
const runs = merged(await publishedRuns(), run)
await reportResults(options, { ...run, figures: figuresOf(rows) }, [attackTable(run), serviceTable(run)], {
  name: 'abuse',
  data: { runs },
  machine: runs.map((one) => `${one.label}: ${machineText(one.machine)}`).join('\n\n'),
  tables: [
    ...(runs.length > 1 ? [comparisonTable(runs)] : []),
    ...runs.map(serviceTable),
    ...runs.map(attackTable),
  ],
})

async function publishedRuns(): Promise<Run[]> {
  const text = await readFile(new URL('../results/abuse.json', import.meta.url), 'utf8').catch(() => null)
  return text === null ? [] : (JSON.parse(text) as { runs: Run[] }).runs
}

/** Attacks that were run now take the place of those of the same version. */
function merged(published: readonly Run[], run: Run): Run[] {
  const old = published.find(({ label }) => label === run.label)
  if (!old) return [...published, run]
  const rowOf = (name: string) => [run, old].flatMap((one) => one.rows).find(({ attack }) => attack === name)
  const all = attacks.map(({ name }) => rowOf(name)).filter((row) => row !== undefined)
  return published.map((one) => (one === old ? { ...run, rows: all } : one))
}

function roundText({ quiet, attacked, holdings, recoveryMs, hasLanded }: Round): string {
  const failed = Object.entries(attacked.failures).map(([what, number]) => `${number} × ${what}`)
  return [
    `p99 ${shown(quiet.pages.p99Ms)} -> ${shown(attacked.pages.p99Ms)} ms`,
    `others ${shown(quiet.others.p99Ms)} -> ${shown(attacked.others.p99Ms)} ms`,
    `${shown(holdings.peakMb ?? NaN)} MB, ${holdings.descriptors} held`,
    recoveryMs === null ? 'not served as before' : `served as before after ${shown(recoveryMs / 1_000)} s`,
    ...(failed.length > 0 ? [failed.join(', ')] : []),
    ...(hasLanded ? [] : ['THE ATTACK DID NOT GET THROUGH']),
  ].join('; ')
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (value > 0 && Number.isFinite(value)) return value
  console.error(`--${name} must be a number above 0.`)
  process.exit(2)
}
