import { randomBytes } from 'node:crypto'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openCheckout } from '../frame/checkout.ts'
import { openCluster } from '../frame/database.ts'
import { say } from '../frame/figures.ts'
import { watchStolenTime } from '../frame/machine.ts'
import { now, startJobRunner, startServer, type JobRunner, type Serving } from '../frame/processes.ts'
import type { Reading } from '../frame/rounds.ts'
import type { AttackJob, AttackResult } from './attacker.ts'
import { createCast } from './cast.ts'
import type { CustomerJob } from './customer.ts'
import { serviceOf, within, type Sample, type Service } from './judge.ts'

// A database with its parties, and the processes of those who ask.

export type Scene = Awaited<ReturnType<typeof openScene>>

/** @param folder the root of another checkout; empty: this one */
export async function openScene(name: string, folder = '', env: Record<string, string> = {}) {
  const running = new AsyncDisposableStack()
  const checkout = await openCheckout(folder)
  const cluster = running.use(await openCluster())
  const connectionString = await cluster.createDatabase(name)
  const subject = {
    ...{ program: checkout.program, connectionString, logFile: join(cluster.folder, `${name}.log`) },
    // One for all its servers: sessions outlive them.
    env: { SECRETS_KEY: randomBytes(32).toString('base64'), ...env },
  }
  say('Filling the database')
  const db = running.adopt(checkout.connect({ connectionString }), (one) => one.destroy())
  await checkout.migrate(db)
  const server = await startSubject(subject)
  const cast = await createCast(checkout, db, server.port)
  await server.stop()
  const customer = running.use(await startJobRunner<CustomerJob, Sample[]>('abuse/customer.ts'))
  const attacker: JobRunner<AttackJob, AttackResult> = running.use(await startJobRunner('abuse/attacker.ts'))
  return {
    ...{ subject, db, cast, customer, attacker, version: cluster.version },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export async function startSubject(subject: Scene['subject']): Promise<Serving> {
  await truncate(subject.logFile).catch(() => undefined)
  return startServer('Ratecard', subject)
}

/** A customer of a server, and the requests that were taken from it so far. */
export async function startCustomer({ customer, cast }: Scene, port: number) {
  const samples: Sample[] = []
  const send = async (command: CustomerJob['command']) => {
    samples.push(...(await customer.run({ command, port, key: cast.customerKey })))
  }
  await send('start')
  return { samples, take: () => send('take'), stop: () => send('stop') }
}

const warmUpMs = 5_000
/** Between two phases: what was asked for last is answered. */
const restMs = 1_500

export interface Phase {
  service: Service
  /** Share of the customer's requests that were due while the host took processors away. */
  leftOut: number
  /** Of what was done beside the customer. */
  perSecond: number
}

export const p99: Reading<Phase> = ({ service }) => service.pages.p99Ms

/**
 * A customer beside whom phases take turns: a machine that is slow for a while is slow for all of them. Requests that
 * were due while the host took processors away are left out, in all phases alike.
 */
export async function openPhases(scene: Scene, port: number) {
  const stolenTime = watchStolenTime()
  const { samples, take, stop } = await startCustomer(scene, port)
  await setTimeout(warmUpMs)
  return {
    /** @param act what goes on meanwhile; answers with how often it was done */
    run: async (act: () => Promise<number>): Promise<Phase> => {
      await setTimeout(restMs)
      const startedMs = now()
      const times = await act()
      const endedMs = now()
      await setTimeout(restMs)
      await take()
      const asked = within(samples, startedMs, endedMs)
      const kept = asked.filter(({ intendedMs }) => !stolenTime.has(intendedMs))
      const perSecond = (1_000 * times) / (endedMs - startedMs)
      return { service: serviceOf(kept), leftOut: 1 - kept.length / asked.length, perSecond }
    },
    [Symbol.asyncDispose]: async () => {
      await stop()
      stolenTime[Symbol.dispose]()
    },
  }
}
