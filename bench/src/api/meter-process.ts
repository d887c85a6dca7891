import pg from 'pg'
import { batchSessionConnector } from '../../../apps/server/src/features/metering/batch-session.ts'
import { createBatchingMeter } from '../../../apps/server/src/features/metering/meter.ts'
import { realScheduler } from '../../../apps/server/src/platform/scheduler.ts'
import { hashApiKey } from '../../../apps/server/src/features/accounts/api-key.ts'
import { percentile } from '../frame/figures.ts'
import { takeJobs, type JobRunner } from '../frame/processes.ts'
import { dailyLimit, given } from '../peers/peer.ts'

// Counts units and does nothing else: as the service does, or with an UPDATE for each.

export interface MeterJob {
  how: 'meter' | 'update'
  /** Unit number n is of key number n of these, from the first again after the last. */
  keys: string[]
  inFlight: number
  durationMs: number
}

interface MeterResult {
  units: number
  seconds: number
  p50Ms: number
}

export type Meter = JobRunner<MeterJob, MeterResult>

const connectionString = given('DATABASE_URL')
/** What the service has by default. */
const connections = 10
const allPlans = 31

const limits = {
  ...{ free: dailyLimit, developer: dailyLimit, scale: dailyLimit },
  ...{ team: dailyLimit, enterprise: dailyLimit },
}
const fail = (error: unknown) => {
  throw error
}
const onLoss = () => fail(new Error('The database forgot what it had confirmed.'))
const meter = createBatchingMeter({
  limits,
  connector: () => batchSessionConnector({ connectionString, limits, onLoss }),
  scheduler: realScheduler,
  onFailure: fail,
})
const pool = new pg.Pool({ connectionString, max: connections })

const ways: Record<MeterJob['how'], (key: string) => () => Promise<void>> = {
  meter: (key) => {
    // Without the hashing that a server does once.
    const keyHash = hashApiKey(key).toString('hex')
    const request = { keyHash, endpoint: 'prices', plans: allPlans, version: null } as const
    return async () => {
      const verdict = await meter.reserve(request)
      if (verdict.kind !== 'granted') throw new Error(JSON.stringify(verdict))
    }
  },
  update: (key) => async () => {
    const text = 'update peer_quotas set used = used + 1 where key_id = $1 and used < $2 returning used'
    const { rowCount } = await pool.query({ name: 'count', text, values: [key, dailyLimit] })
    if (rowCount !== 1) throw new Error(`${key} has no units left.`)
  },
}

takeJobs(async ({ how, keys, inFlight, durationMs }: MeterJob): Promise<MeterResult> => {
  const takes = keys.map(ways[how])
  const latenciesMs: number[] = []
  let units = 0
  const startMs = performance.now()
  const work = async () => {
    for (;;) {
      const beganMs = performance.now()
      if (beganMs - startMs >= durationMs) return
      await takes[units++ % takes.length]!()
      // Of many in flight only the rate is of interest.
      if (inFlight === 1) latenciesMs.push(performance.now() - beganMs)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, work))
  return { units, seconds: (performance.now() - startMs) / 1_000, p50Ms: percentile(latenciesMs, 0.5) }
})
