import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { crawls } from './abuse/attacks/crawl.ts'
import type { AttackJob, AttackResult } from './abuse/attacker.ts'
import { createCast } from './abuse/cast.ts'
import { openCheckout } from './abuse/checkout.ts'
import type { CustomerJob } from './abuse/customer.ts'
import { serviceOf, within, type Sample, type Service } from './abuse/judge.ts'
import { startSubject } from './abuse/round.ts'
import { startJobRunner } from './api/processes.ts'
import { openCluster } from './database.ts'
import { figureOf, figureTable, say, shown, type Figure, type Table } from './figures.ts'
import { now } from './job.ts'
import { describeMachine } from './machine.ts'
import { effortOptions, outputOptions } from './options.ts'
import { reportResults } from './results.ts'
import { median } from './statistics.ts'
import { watchStolenTime } from './stolen-time.ts'

// What a paying customer is served while crawlers walk the public pages. The phases take turns, the one without a crawl
// first: a machine that is slow for a while is slow for all of them, and ratios are taken within a round. Requests that
// were due while the host took processors away are left out, in all phases alike.

const { values: options } = parseArgs({
  options: { ...effortOptions, ...outputOptions, seconds: { type: 'string', default: '8' } },
})
const rounds = Number(options.rounds ?? (options.quick ? 3 : 7))
const phaseMs = 1_000 * Number(options.quick ? 4 : options.seconds)
/** A crawl's p99 in shares of that without. */
const slowerMost = 2
const warmUpMs = 5_000
/** Between two phases: what was asked for last is answered. */
const restMs = 1_500

interface Phase {
  name: string
  service: Service
  pagesPerSecond: number
  /** Share of the customer's requests that were due while the host took processors away. */
  leftOut: number
}

const checkout = await openCheckout()
const cluster = await openCluster()
const phases: Phase[][] = []
try {
  const connectionString = await cluster.createDatabase('crawl')
  const subject = {
    program: checkout.program,
    connectionString,
    logFile: join(cluster.folder, 'crawl.log'),
    env: { SECRETS_KEY: randomBytes(32).toString('base64') },
  }
  say('Filling the database')
  const db = checkout.connect({ connectionString })
  await checkout.migrate(db)
  await using server = await startSubject(subject)
  const cast = await createCast(checkout, db, server.port)
  await db.destroy()
  await using customer = await startJobRunner<CustomerJob, Sample[]>('abuse/customer.ts')
  await using attacker = await startJobRunner<AttackJob, AttackResult>('abuse/attacker.ts')
  const { port } = server
  using stolenTime = watchStolenTime()
  const samples: Sample[] = []
  const send = async (command: CustomerJob['command']) => {
    samples.push(...(await customer.run({ command, port, key: cast.customerKey })))
  }
  await send('start')
  // The catalogue is read, and the painter started, once for each version of the prices and not once for each crawl.
  for (const path of ['/models', '/pictures/home.png']) {
    await (await fetch(`http://127.0.0.1:${port}${path}`)).arrayBuffer()
  }
  await setTimeout(warmUpMs)
  for (let number = 1; number <= rounds; number += 1) {
    const round: Phase[] = []
    for (const name of ['the customer alone', ...crawls.map((attack) => attack.name)]) {
      await setTimeout(restMs)
      const startedMs = now()
      let answered = 0
      if (name === 'the customer alone') await setTimeout(phaseMs)
      else {
        const { tally } = await attacker.run({ attack: name, port, cast, durationMs: phaseMs })
        answered = tally.statuses['200'] ?? 0
      }
      const endedMs = now()
      await setTimeout(restMs)
      await send('take')
      const asked = within(samples, startedMs, endedMs)
      const kept = asked.filter(({ intendedMs }) => !stolenTime.has(intendedMs))
      round.push({
        name,
        service: serviceOf(kept),
        pagesPerSecond: (1_000 * answered) / (endedMs - startedMs),
        leftOut: 1 - kept.length / asked.length,
      })
    }
    phases.push(round)
    say(
      `Round ${number} of ${rounds}: ${round.map((one) => `${one.name} ${shown(one.service.pages.p99Ms)} ms`).join(', ')}`,
    )
  }
  await send('stop')
} finally {
  await cluster.close()
}

const machine = describeMachine({ PostgreSQL: cluster.version })
const figures = crawls.map((attack, index): Figure => {
  const ratios = phases.map(([alone, ...others]) => {
    return others[index]!.service.pages.p99Ms / alone!.service.pages.p99Ms
  })
  return figureOf(`${attack.name}: p99 to that without`, 'times', ratios, { most: slowerMost })
})
const failures = phases.flat().flatMap(({ service }) => Object.keys(service.failures))
if (failures.length > 0) say(`The customer was refused: ${[...new Set(failures)].join(', ')}`)
const tables = [phaseTable(), figureTable('A crawl beside a paying customer', figures)]
await reportResults(options, { machine, figures }, tables, { name: 'crawl' })

function phaseTable(): Table {
  const names = phases[0]!.map(({ name }) => name)
  return {
    title: 'What the customer is served, medians of the rounds',
    head: ['', 'p50 ms', 'p99 ms', 'others, p99 ms', 'left out, %', 'pages a second'],
    rows: names.map((name, index) => {
      const middle = (pick: (phase: Phase) => number) =>
        shown(median(phases.map((round) => pick(round[index]!))))
      return [
        name,
        middle(({ service }) => service.pages.p50Ms),
        middle(({ service }) => service.pages.p99Ms),
        middle(({ service }) => service.others.p99Ms),
        middle(({ leftOut }) => 100 * leftOut),
        index === 0 ? '' : middle(({ pagesPerSecond }) => pagesPerSecond),
      ]
    }),
  }
}
