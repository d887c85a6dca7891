import { randomBytes } from 'node:crypto'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from '../../../apps/server/src/database/connect.ts'
import { migrate } from '../../../apps/server/src/database/migrate.ts'
import { openCluster } from '../frame/database.ts'
import { say } from '../frame/figures.ts'
import { startJobRunner, startServer, type JobRunner, type Serving } from '../frame/processes.ts'
import type { AttackJob, AttackResult } from './attacker.ts'
import { createCast } from './cast.ts'
import type { CustomerJob } from './customer.ts'
import type { Sample } from './judge.ts'

// A database with its parties, and the processes of those who ask.

export type Scene = Awaited<ReturnType<typeof openScene>>

export async function openScene() {
  const running = new AsyncDisposableStack()
  const cluster = running.use(await openCluster())
  const connectionString = await cluster.createDatabase('abuse')
  const subject = {
    ...{ connectionString, logFile: join(cluster.folder, 'abuse.log') },
    // One for all its servers: sessions outlive them.
    env: { SECRETS_KEY: randomBytes(32).toString('base64') },
  }
  say('Filling the database')
  const db = running.use(connect({ connectionString }))
  await migrate(db)
  const server = await startSubject(subject)
  const cast = await createCast(db, server.port)
  await server.stop()
  const customer = running.use(await startJobRunner<CustomerJob, Sample[]>('abuse/customer.ts'))
  const attacker: JobRunner<AttackJob, AttackResult> = running.use(await startJobRunner('abuse/attacker.ts'))
  return {
    ...{ subject, cast, customer, attacker, version: cluster.version },
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
