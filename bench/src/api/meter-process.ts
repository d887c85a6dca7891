import pg from 'pg'
import { batchSessionConnector } from '../../../apps/server/src/features/metering/batch-session.ts'
import { createBatchingMeter } from '../../../apps/server/src/features/metering/meter.ts'
import { realScheduler } from '../../../apps/server/src/platform/scheduler.ts'
import { hashApiKey } from '../../../apps/server/src/features/accounts/api-key.ts'
import { takeJobs } from '../job.ts'
import { dailyLimit, given } from '../peers/peer.ts'
import { percentile } from '../statistics.ts'

// Counts units and does nothing else: as the service does, or with an UPDATE for each.

export interface MeterJob {
  how: 'meter' | 'update'
  /** Unit number n is of key number n of these, from the first again after the last. */
  keys: string[]
  inFlight: number
  durationMs: number
}

export interface MeterResult {
  units: number
  seconds: number
  p50Ms: number
}

const connectionString = given('DATABASE_URL')
/** What the service has by default. */
const connections = 10
const allPlans = 31

const limits = {
  ...{ free: dailyLimit, developer: dailyLimit, scale: dailyLimit },
  ...{ team: dailyLimit, enterprise: dailyLimit },
}
const meter = createBatchingMeter({
  limits,
  connector: (lockTimeoutMs) => {
    const onLoss = () => {
      throw new Error('The database forgot what it had confirmed.')
    }
    return batchSessionConnector({ connectionString, limits, lockTimeoutMs, onLoss })
  },
  scheduler: realScheduler,
  onFailure: (error) => {
    throw error
  },
})
const pool = new pg.Pool({ connectionString, max: connections })

type Take = (key: string) => Promise<void>

/** By key: what is asked of the meter, without the hashing that a server does once. */
const requests = new Map<string, Parameters<typeof meter.reserve>[0]>()

const takeByMeter: Take = async (key) => {
  const request = requests.get(key)
  if (!request) throw new Error('An unknown key.')
  const verdict = await meter.reserve(request)
  if (verdict.kind !== 'granted') throw new Error(JSON.stringify(verdict))
}

const takeByUpdate: Take = async (key) => {
  const { rowCount } = await pool.query({
    name: 'count',
    text: 'update peer_quotas set used = used + 1 where key_id = $1 and used < $2 returning used',
    values: [key, dailyLimit],
  })
  if (rowCount !== 1) throw new Error(`${key} has no units left.`)
}

async function run({ how, keys, inFlight, durationMs }: MeterJob): Promise<MeterResult> {
  const take = how === 'meter' ? takeByMeter : takeByUpdate
  for (const key of how === 'meter' ? keys : []) {
    const keyHash = hashApiKey(key).toString('hex')
    requests.set(key, { keyHash, endpoint: 'prices', plans: allPlans, version: null })
  }
  const latenciesMs: number[] = []
  let units = 0
  const startMs = performance.now()
  const work = async () => {
    for (;;) {
      const beganMs = performance.now()
      if (beganMs - startMs >= durationMs) return
      await take(keys[units++ % keys.length] ?? '')
      // Of many in flight only the rate is of interest.
      if (inFlight === 1) latenciesMs.push(performance.now() - beganMs)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, work))
  const seconds = (performance.now() - startMs) / 1_000
  return { units, seconds, p50Ms: percentile(latenciesMs, 0.5) }
}

takeJobs(run)
