import { expect, test } from 'vitest'
import { createBodyCheck } from '../src/features/webhooks/alert-schema.ts'
import { publishWithAlerts } from '../src/features/webhooks/publish-alerts.ts'
import { createSecretBox, generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import { loadContract } from '../src/platform/contract.ts'
import { createLogger } from '../src/platform/logger.ts'
import { openQueue } from '../src/queue/queue.ts'
import { authorityFile } from './support/certificates.ts'
import { useDatabase } from './support/postgres.ts'
import { startWorker } from './support/worker-process.ts'
import { isSigned, startReceiver } from './support/receiver.ts'
import { changeInputs, createAccounts, subscribe } from './support/subscribers.ts'

const database = useDatabase()

const endpoints = 1_000
const hangingEvery = 10
const hangingOfThese = 3
const changes = 227
const limits = { total: 1_000, perAccount: 500, perEndpoint: 2 }
const patienceMs = 15_000
const answerMs = 20

test.for([{ accounts: 1 }, { accounts: 100 }])(
  'With 300 of 1,000 endpoints hanging, 700 have all 227 changes within 15 s ($accounts accounts)',
  async ({ accounts }, { onTestFinished }) => {
    const { db, url } = database
    await db.deleteFrom('webhooks').execute()
    const secretsKey = generateSecretsKey()
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const hangs = (index: number) => index % hangingEvery < hangingOfThese
    const urls = Array.from(
      { length: endpoints },
      (_, index) => `${receiver.url}/${hangs(index) ? 'hang' : 'ok'}/${index}`,
    )
    const subscribers = await subscribe(db, createSecretBox([secretsKey]), {
      accountIds: await createAccounts(db, accounts),
      urls,
    })

    const inFlight = new Map<string, number>()
    const most = { total: 0, account: 0, endpoint: 0 }
    const count = (name: string, step: number) => {
      const now = (inFlight.get(name) ?? 0) + step
      inFlight.set(name, now)
      return now
    }
    for (const subscriber of subscribers) {
      const path = new URL(subscriber.url).pathname
      receiver.behave(path, (res) => {
        most.total = Math.max(most.total, count('all', 1))
        most.account = Math.max(most.account, count(subscriber.accountId, 1))
        most.endpoint = Math.max(most.endpoint, count(path, 1))
        let isOver = false
        const end = () => {
          if (isOver) return
          isOver = true
          for (const name of ['all', subscriber.accountId, path]) count(name, -1)
        }
        res.on('close', end)
        if (path.startsWith('/hang')) return
        setTimeout(() => {
          // Over for the sender when it reads this, which may be before we hear that it has.
          end()
          res.writeHead(200).end()
        }, answerMs)
      })
    }

    await startWorker({
      DATABASE_URL: url,
      SECRETS_KEY: secretsKey,
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      WEBHOOK_CA_FILE: authorityFile,
      LOG_LEVEL: 'warn',
    })
    const queue = await openQueue({
      connectionString: url,
      jobTimeoutSeconds: 35,
      logger: createLogger('warn'),
      supervise: false,
    })
    const { ids } = await db.transaction().execute(async (trx) =>
      publishWithAlerts(trx, changeInputs(changes), {
        alerts: {
          queue,
          publicUrl: 'http://localhost:8080',
          check: createBodyCheck((await loadContract()).document),
        },
      }),
    )
    const publishedMs = Date.now()
    await queue.stop()

    const healthy = subscribers.filter(({ url }) => url.includes('/ok/'))
    const arrived = await receiver.waitFor(3 * healthy.length, {
      wanted: ({ path }) => path.startsWith('/ok/'),
      timeoutMs: patienceMs,
    })
    const tookMs = Math.max(...arrived.map(({ atMs }) => atMs)) - publishedMs
    expect(tookMs).toBeLessThan(patienceMs)

    const byPath = Map.groupBy(arrived, ({ path }) => path)
    for (const { url, secret } of healthy) {
      const own = byPath.get(new URL(url).pathname) ?? []
      expect(own.every((received) => isSigned(received, secret))).toBe(true)
      expect(own.map(({ alert }) => alert.changes.length).toSorted((one, other) => one - other)).toEqual([
        27, 100, 100,
      ])
      const alerted = own.flatMap(({ alert }) => alert.changes.map(({ id }) => id))
      expect(alerted.toSorted()).toEqual(ids.toSorted())
    }
    expect(most.endpoint).toBeLessThanOrEqual(limits.perEndpoint)
    expect(most.account).toBeLessThanOrEqual(limits.perAccount)
    expect(most.total).toBeLessThanOrEqual(limits.total)
    console.info(
      `${accounts} accounts: ${arrived.length} deliveries in ${tookMs} ms; in flight at most ${most.total}, ` +
        `${most.account} of an account, ${most.endpoint} to an endpoint`,
    )
  },
)
