import { randomBytes } from 'node:crypto'
import { createSecretBox } from '../../src/features/webhooks/secret-box.ts'
import { createCustomer, priceRecord, storePrices, type Customer } from './actors.ts'
import { cellEnvironment, cellPlaces, openCellDatabase, type CellDatabase } from './cells.ts'
import { judge, seenIn, type Seen, type Verdict } from './failover-verdict.ts'
import { ratecard, startServer, type ServerProcess } from './process.ts'
import { startProxy } from './proxy.ts'
import { startReceiver } from './receiver.ts'
import { startPublishing, startSteadyLoad } from './steady-load.ts'
import { createAccounts, subscribe } from './subscribers.ts'
import { until } from './until.ts'

// A hub and two cells behind one proxy, each with customers and endpoints of its own, while one of them comes and goes.

const marks = ['a1', 'b2'] as const
/** Of the hub and its cells. */
const cellNames = ['home', ...marks] as const
export type CellName = (typeof cellNames)[number]

const customersOfEach = 2
const endpointsOfEach = 2
const attemptTimeoutMs = 3_000
const settleMs = 90_000

/** What the customers of one database saw, and those of the others. */
export interface CellRound {
  own: Seen
  others: Seen
}

export interface CellsScene {
  databases: Record<CellName, CellDatabase>
  servers: readonly ServerProcess[]
  /** Waits for so many more served answers to customers of these. */
  serveMore: (count: number, ...names: readonly CellName[]) => Promise<void>
  seen: (name: CellName, fromMs: number, toMs: number) => CellRound
  /** Ends load and publications, waits for what is under way, and compares with each database. */
  settle: () => Promise<Verdict>
}

/** @param atEnd registers what ends it; called in the reverse order */
export async function openCellsScene(
  atEnd: (end: () => Promise<void>) => void,
  { requestsPerSecond = 80 } = {},
): Promise<CellsScene> {
  const each = async <T>(make: (name: CellName) => Promise<T>) => {
    const made = await Promise.all(cellNames.map(async (name) => [name, await make(name)] as const))
    return Object.fromEntries(made) as Record<CellName, T>
  }
  const databases = await each(() => openCellDatabase(atEnd))
  const receiver = await startReceiver()
  atEnd(() => receiver.close())
  const secretsKey = randomBytes(32).toString('base64')
  const envOf = (name: CellName) => ({
    ...cellEnvironment(
      { url: databases[name].url, secretsKey },
      name === 'home' ? null : { mark: name, hubUrl: databases.home.url },
    ),
    WEBHOOK_TIMEOUT: `${attemptTimeoutMs}ms`,
    WEBHOOK_RETRY_SCHEDULE: '0s,1s,2s,4s,8s,8s,8s,8s',
  })
  const run = async (name: CellName, args: string[], more: Record<string, string> = {}) => {
    const { exitCode, stdout, stderr } = await ratecard(args, { ...envOf(name), ...more })
    if (exitCode !== 0) throw new Error(stderr)
    return stdout
  }

  await each((name) => run(name, ['migrate'], { DATABASE_OWNER_URL: databases[name].ownerUrl }))
  await storePrices(databases.home.db, [priceRecord({ resource_id: 'acme:alpha' })])
  await run('home', ['cells', 'publish', '--role', 'ratecard'])
  await Promise.all(marks.map((mark) => run(mark, ['cells', 'join'])))
  const servers = await each((name) => startServer(envOf(name), [], atEnd))
  const { home, ...cells } = servers
  const routes = await run('home', ['cells', 'routes', '--format', 'haproxy', ...cellPlaces(cells)])
  const front = await startProxy('haproxy', [home], atEnd, { cells: { routes, unmarkedKeys: '' } })

  const customers = await each(async (name) => {
    const { db } = databases[name]
    await subscribe(db, createSecretBox([secretsKey]), {
      accountIds: await createAccounts(db, 1),
      urls: Array.from({ length: endpointsOfEach }, (_, index) => `${receiver.url}/${name}/${index}`),
    })
    const made: Customer[] = []
    for (let n = 0; n < customersOfEach; n += 1) made.push(await createCustomer(db, { plan: 'scale' }))
    return made
  })
  const keyIds = (...names: readonly CellName[]) =>
    new Set(names.flatMap((name) => customers[name].map(({ keyId }) => keyId)))
  const load = startSteadyLoad(
    `${front}/v1/prices?limit=1`,
    Object.values(customers).flat(),
    requestsPerSecond,
  )
  atEnd(load.stop)
  const publishing = await startPublishing(databases.home.db, databases.home.url, attemptTimeoutMs)
  atEnd(publishing.stop)
  const answersTo = (...names: readonly CellName[]) => {
    const ids = keyIds(...names)
    return load.answers.filter(({ keyId }) => ids.has(keyId))
  }

  /** Each change is told to each endpoint of each database. */
  const untilAllIsAnnounced = async (name: CellName) => {
    const { db } = databases[name]
    await until(
      `the alerts of ${name}`,
      async () => {
        const made = await db
          .selectFrom('deliveries')
          .select(({ fn }) => fn.countAll<string>().as('count'))
          .executeTakeFirstOrThrow()
        return Number(made.count) >= publishing.ids.length * endpointsOfEach
      },
      { timeoutMs: settleMs, intervalMs: 200 },
    ).catch(() => undefined)
  }
  return {
    databases,
    servers: Object.values(servers),
    serveMore: async (count, ...names) => {
      const served = () => answersTo(...names).filter(({ status }) => status === 200).length
      const before = served()
      await until(`${count} more answers of ${names.join(', ')}`, () => served() >= before + count, {
        timeoutMs: 60_000,
      })
    },
    seen: (name, fromMs, toMs) => ({
      own: seenIn(answersTo(name), fromMs, toMs),
      others: seenIn(answersTo(...cellNames.filter((other) => other !== name)), fromMs, toMs),
    }),
    settle: async () => {
      await load.stop()
      await publishing.stop()
      const verdicts: Verdict[] = []
      for (const name of cellNames) {
        await untilAllIsAnnounced(name)
        verdicts.push(
          await judge(databases[name].db, {
            answers: answersTo(name),
            servers: [servers[name]],
            receiver,
            published: publishing.ids,
          }),
        )
      }
      return verdicts.reduce((sum, verdict) => {
        const total = { ...sum }
        for (const [what, count] of Object.entries(verdict)) total[what as keyof Verdict] += count
        return total
      })
    },
  }
}
