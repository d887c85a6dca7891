import {
  createBatchingMeter,
  type Meter,
  type UnitRequest,
  type Verdict,
} from '../../src/features/metering/meter.ts'
import { FaultyDatabase, type SimulatedProcess } from './faulty-database.ts'
import { ModelDatabase } from './model-database.ts'
import { createRandom, type Random } from './random.ts'
import { createVirtualTime, type VirtualTime } from './virtual-time.ts'

/** A request and its outcome. */
export interface SimulatedRequest {
  process: Process
  request: UnitRequest
  accountId: string
  quotaSubject: string
  startedMs: number
  /** The state when it began. */
  atStart: { isRevoked: boolean; plans: number; version: number; plansMoved: number }
  /** From now on there are no faults: it must succeed, and at once. */
  isProbe: boolean
  settledMs: number | null
  verdict: Verdict | null
  error: unknown
}

interface Process extends SimulatedProcess {
  meter: Meter
  closingMs: number | null
  closedMs: number | null
  /** It closed while the database did not answer, and reported it. */
  gaveUp: boolean
}

export interface Schedule {
  seed: number
  requests: SimulatedRequest[]
  processes: Process[]
  model: ModelDatabase
  database: FaultyDatabase
  time: VirtualTime
  /** How often the plans of an account have moved. */
  plansMoved: Map<string, number>
}

const startOfTimes = Date.parse('2031-03-05T23:59:50Z')
const quietMs = 12_000
const closingWithinMs = 20_000
const limits = { free: 6, developer: 15, scale: 30, team: 50, enterprise: 90 }

/** Lives through one schedule of the seed's: some seconds of requests and mishaps, then quiet, probes, and the end. */
export async function runSchedule(
  seed: number,
  trace: (line: string) => void = () => undefined,
): Promise<Schedule> {
  const random = createRandom(seed)
  const time = createVirtualTime(random)
  const model = new ModelDatabase()
  let clockShiftMs = startOfTimes + random.between(0, 9_999)
  const clockMs = () => clockShiftMs + time.nowMs()
  const say = (line: string) => trace(`${time.nowMs()} ms: ${line}`)
  const database = new FaultyDatabase({ model, time, random, limits, clockMs, trace: say })
  const schedule: Schedule = {
    seed,
    requests: [],
    processes: [],
    model,
    database,
    time,
    plansMoved: new Map(),
  }
  populate(model, random, clockMs())
  // Some schedules have no faults at all: no fault causes their findings.
  database.faultRate = random.pick([0, 0.02, 0.1, 0.3, 0.6])
  const disturbance = random.pick([0, 0.1, 0.3])

  const start = () => {
    const process = startProcess(schedule, random, say)
    say(`${process.name} starts`)
  }
  const alive = () => schedule.processes.filter(({ isAlive, closingMs }) => isAlive && closingMs === null)
  const request = (process: Process, hash: string, isProbe = false) => {
    const key = model.keys.get(hash)
    const accountId = key?.accountId ?? ''
    const endpoint = isProbe ? 'webhooks' : random.pick(['prices', 'changes', 'webhooks'] as const)
    const current = model.versions.get(endpoint)
    const version =
      current === undefined || random.chance(0.3) ? null : current - (random.chance(0.1) ? 1 : 0)
    const wanted: UnitRequest = {
      keyHash: hash,
      endpoint,
      plans: isProbe ? 31 : random.pick([31, 31, 31, 30, 28]),
      version: version === null ? null : String(version),
    }
    const sent: SimulatedRequest = {
      process,
      request: wanted,
      accountId,
      quotaSubject: key?.quotaSubject ?? '',
      startedMs: time.nowMs(),
      atStart: {
        isRevoked: !model.activeKey(hash, clockMs()),
        plans: 1 | (model.accounts.get(accountId)?.plans ?? 0),
        version: current ?? 0,
        plansMoved: schedule.plansMoved.get(accountId) ?? 0,
      },
      isProbe,
      settledMs: null,
      verdict: null,
      error: null,
    }
    schedule.requests.push(sent)
    process.meter.reserve(wanted).then(
      (verdict) => Object.assign(sent, { verdict, settledMs: time.nowMs() }),
      (error: unknown) => {
        Object.assign(sent, { error, settledMs: time.nowMs() })
        say(`${process.name}: no verdict: ${String(error)}`)
      },
    )
  }
  const burst = () => {
    const [processes, hashes] = [alive(), [...model.keys.keys()]]
    const hot = random.pick(hashes)
    for (let left = random.between(1, 16); left > 0; left -= 1)
      request(random.pick(processes), random.chance(0.5) ? hot : random.pick([...hashes, 'nobody']))
  }
  const disturb = () => {
    const process = random.pick(alive())
    const key = random.pick([...model.keys.values()])
    const account = model.accounts.get(key.accountId)
    const mishap = random.pick([
      'kill',
      'close',
      'outage',
      'hold',
      'midnight',
      'buy',
      'revoke',
      'plan',
      'import',
    ])
    say(mishap)
    if (mishap === 'kill') {
      process.isAlive = false
      start()
    } else if (mishap === 'close') {
      end(process)
      start()
    } else if (mishap === 'outage') {
      database.fail(random.pick(['refuses', 'is silent']), random.between(10, 3_000))
    } else if (mishap === 'hold') {
      const lock = random.chance(0.7) ? `counter ${key.quotaSubject}` : `account ${key.accountId}`
      database.hold(lock, random.pick([20, 150, 900, 3_000]))
    } else if (mishap === 'midnight') {
      clockShiftMs += random.pick([3_600_000, 86_400_000])
    } else if (mishap === 'buy') {
      addPack(model, random, key.accountId, clockMs())
    } else if (mishap === 'revoke') {
      // One key always remains.
      if (model.keys.size > 1 && key.hash !== 'hash-0') key.revokedAtMs = clockMs()
    } else if (mishap === 'plan' && account) {
      account.plans = random.pick([0, 2, 4, 10])
      schedule.plansMoved.set(key.accountId, (schedule.plansMoved.get(key.accountId) ?? 0) + 1)
    } else if (mishap === 'import') {
      const feed = random.pick(['prices', 'changes'])
      model.versions.set(feed, (model.versions.get(feed) ?? 0) + 1)
    }
  }
  const end = (process: Process) => {
    process.closingMs = time.nowMs()
    void process.meter.close().then(() => (process.closedMs = time.nowMs()))
  }

  for (let left = random.between(1, 3); left > 0; left -= 1) start()
  const untilMs = random.between(200, 6_000)
  for (let left = random.between(2, 24); left > 0; left -= 1)
    time.after(random.between(0, untilMs), () => (random.chance(disturbance) ? disturb() : burst()))
  await time.runUntil(untilMs)

  say('quiet')
  database.faultRate = 0
  await time.runUntil(untilMs + quietMs)
  for (const process of alive()) for (const hash of model.keys.keys()) request(process, hash, true)
  await time.runUntil(untilMs + quietMs + probeMsMax)
  for (const process of alive()) end(process)
  await time.runUntil(untilMs + quietMs + closingWithinMs)
  return schedule
}

/** Longest an undisturbed request takes: to connect, and for its statement. */
export const probeMsMax = 100

function startProcess(schedule: Schedule, random: Random, say: (line: string) => void): Process {
  const { database, time } = schedule
  const process: SimulatedProcess = {
    name: `process ${schedule.processes.length + 1}`,
    isAlive: true,
    sessionsOpen: 0,
    charged: 0,
  }
  const meter = createBatchingMeter({
    limits,
    connector: () => database.connector(process),
    scheduler: {
      nowMs: time.nowMs,
      // A killed process does nothing any more.
      soon: (work) => time.soon(() => process.isAlive && work()),
      after: (ms, work) => time.after(ms, () => process.isAlive && work()),
    },
    onFailure: (error, message) => {
      say(`${process.name}: ${message}: ${String(error)}`)
      if (/not known|could not/.test(message)) whole.gaveUp = true
    },
    itemsMax: random.pick([1, 3, 512]),
  })
  const whole: Process = Object.assign(process, { meter, closingMs: null, closedMs: null, gaveUp: false })
  schedule.processes.push(whole)
  return whole
}

function populate(model: ModelDatabase, random: Random, nowMs: number): void {
  const accounts = random.between(1, 3)
  for (let n = 0; n < accounts; n += 1) {
    model.accounts.set(`account-${n}`, { plans: random.pick([0, 0, 2, 4]) })
    for (let left = random.between(0, 3); left > 0; left -= 1) addPack(model, random, `account-${n}`, nowMs)
  }
  const keys = random.between(1, 5)
  for (let n = 0; n < keys; n += 1) {
    const accountId = `account-${n % accounts}`
    const older = [...model.keys.values()].find((key) => key.accountId === accountId)
    // Some were rotated from another: they share its counter.
    const quotaSubject = older && random.chance(0.4) ? older.quotaSubject : `key-${n}`
    model.keys.set(`hash-${n}`, {
      id: `key-${n}`,
      hash: `hash-${n}`,
      accountId,
      quotaSubject,
      revokedAtMs: null,
    })
  }
}

function addPack(model: ModelDatabase, random: Random, accountId: string, nowMs: number): void {
  const units = random.between(1, 12)
  const purchasedMs = nowMs - random.between(0, 5) * 1_000
  const expiresMs = purchasedMs + random.pick([500, 4_000, 60_000, 200_000_000])
  model.packs.push({
    id: `pack-${model.packs.length}`,
    accountId,
    purchasedMs,
    expiresMs,
    units,
    remaining: units,
  })
}
