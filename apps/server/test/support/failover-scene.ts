import { randomBytes } from 'node:crypto'
import { connect, type Db } from '../../src/database/connect.ts'
import { freePort } from '../../src/database/embedded.ts'
import { createSecretBox } from '../../src/features/webhooks/secret-box.ts'
import { createCustomer, priceRecord, storePrices, type Customer } from './actors.ts'
import { authorityFile } from './certificates.ts'
import { judge, seenIn, type Seen, type Verdict } from './failover-verdict.ts'
import { startServer, type ServerProcess } from './process.ts'
import { startProxy } from './proxy.ts'
import { startReceiver, type Receiver } from './receiver.ts'
import { startPublishing, startSteadyLoad } from './steady-load.ts'
import { createAccounts, subscribe } from './subscribers.ts'
import { until } from './until.ts'
import { startWorker, type WorkerProcess } from './worker-process.ts'

// Two servers behind their proxy, a worker, customers and an endpoint, while the database below them comes and goes.

/** Keys that the day's quota pays, and keys of accounts with packs. */
const customersOf = { quota: 4, packs: 2 }
const packUnits = 1_000_000
const endpoints = 5
const attemptTimeoutMs = 3_000

export interface FailoverScene {
  servers: ServerProcess[]
  worker: WorkerProcess
  /**
   * Ends a server and starts it again on its ports, as a rollout does.
   * @param from the program; default: the one of this tree
   */
  restart: (index: number, from?: string) => Promise<void>
  /** What the commands of the program need to reach the database. */
  env: Record<string, string>
  /** Waits for so many more served answers. */
  serveMore: (count: number) => Promise<void>
  seen: (fromMs: number, toMs: number) => Seen
  /** Ends load and publications, waits for what is under way, and compares with the database. */
  settle: () => Promise<Verdict>
}

/**
 * @param urls of the same database, as each of the two servers reaches it; the worker and the customers use the first
 * @param atEnd registers what ends it; called in the reverse order
 */
export async function openFailoverScene(
  urls: readonly [string, string],
  atEnd: (end: () => Promise<void>) => void,
  { requestsPerSecond = 80, drainDelay = '0s' } = {},
): Promise<FailoverScene> {
  const [url] = urls
  const db = connect({ connectionString: url, statementTimeoutMs: 5_000, onIdleError: () => undefined })
  atEnd(() => db.destroy())
  const secretsKey = randomBytes(32).toString('base64')
  const receiver = await startReceiver()
  atEnd(() => receiver.close())
  const env = {
    SECRETS_KEY: secretsKey,
    LOG_LEVEL: 'warn',
    DRAIN_DELAY: drainDelay,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_CA_FILE: authorityFile,
    WEBHOOK_TIMEOUT: `${attemptTimeoutMs}ms`,
    WEBHOOK_RETRY_SCHEDULE: '0s,1s,2s,4s,8s,8s,8s,8s',
  }
  const places = await Promise.all(
    urls.map(async (own) => ({
      DATABASE_URL: own,
      PORT: String(await freePort()),
      ADMIN_PORT: String(await freePort()),
    })),
  )
  const start = (place: Record<string, string>, from?: string) =>
    startServer({ ...env, ...place }, ['--no-worker'], atEnd, 'serve', from)
  const [worker, ...servers] = await Promise.all([
    startWorker({ ...env, DATABASE_URL: url }, atEnd),
    ...places.map((place) => start(place)),
  ])
  const front = await startProxy('haproxy', servers, atEnd)
  const customers = await prepare(db, receiver, secretsKey)
  const load = startSteadyLoad(`${front}/v1/prices?limit=1`, customers, requestsPerSecond)
  atEnd(load.stop)
  const publishing = await startPublishing(db, url, attemptTimeoutMs)
  atEnd(publishing.stop)
  const served = () => load.answers.filter(({ status }) => status === 200).length
  return {
    servers,
    worker,
    restart: async (index, from) => {
      await servers[index]!.stop()
      servers[index] = await start(places[index]!, from)
    },
    env: { ...env, DATABASE_URL: url },
    serveMore: async (count) => {
      const before = served()
      await until(`${count} more answers`, () => served() >= before + count, { timeoutMs: 90_000 })
    },
    seen: (fromMs, toMs) => seenIn(load.answers, fromMs, toMs),
    settle: async () => {
      await load.stop()
      await publishing.stop()
      return judge(db, { answers: load.answers, servers, receiver, published: publishing.ids })
    },
  }
}

async function prepare(db: Db, receiver: Receiver, secretsKey: string): Promise<Customer[]> {
  await storePrices(db, [priceRecord({ resource_id: 'acme:alpha' })])
  await subscribe(db, createSecretBox([secretsKey]), {
    accountIds: await createAccounts(db, 2),
    urls: Array.from({ length: endpoints }, (_, index) => `${receiver.url}/${index}`),
  })
  const customers: Customer[] = []
  for (let n = 0; n < customersOf.quota; n += 1) customers.push(await createCustomer(db, { plan: 'scale' }))
  for (let n = 0; n < customersOf.packs; n += 1) customers.push(await createCustomer(db, { packUnits }))
  return customers
}
