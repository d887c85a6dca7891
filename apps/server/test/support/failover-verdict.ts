import { sql } from 'kysely'
import type { Db } from '../../src/database/connect.ts'
import { verifyLedger } from '../../src/features/metering/verify-ledger.ts'
import type { ServerProcess } from './process.ts'
import type { Receiver } from './receiver.ts'
import { until } from './until.ts'

// What clients and endpoints saw of outages, held against what the database says of it afterwards.

export interface Answered {
  keyId: string
  /** 0: there was no answer. */
  status: number
  /** With the day that it counts down; null: a pack paid, or nothing was served. */
  number: string | null
  startedMs: number
  endedMs: number
}

/** What clients saw of an outage. */
export interface Seen {
  /** Longest time from one served answer to the next, without the usual one. */
  secondsWithoutAnswers: number
  unavailable: number
  /** When the last 503 was answered; null: there was none. */
  lastUnavailableMs: number | null
  /** Neither 200 nor 503, or no answer at all, by status. */
  others: Record<number, number>
}

export interface Verdict {
  answered: number
  charged: number
  /** Answers that nobody was charged for. */
  overServed: number
  /** Units without an answer. */
  unserved: number
  /** Answers with a number of their day's countdown that another one had. */
  doubled: number
  /** Alerts, by endpoint. */
  published: number
  /** Those of them that did not arrive, and confirmed publications that are not there. */
  lostAlerts: number
  /** What `ratecard ledger verify` finds. */
  ledgerDifferences: number
  /** Batches that the servers say were confirmed and are gone. */
  noticedLosses: number
}

const settleMs = 90_000

export function seenIn(answers: readonly Answered[], fromMs: number, toMs: number): Seen {
  const within = answers.filter(({ endedMs }) => endedMs >= fromMs && endedMs <= toMs)
  const servedMs = within.filter(({ status }) => status === 200).map(({ endedMs }) => endedMs)
  const times = [fromMs, ...servedMs.sort((a, b) => a - b), toMs]
  const gaps = times.slice(1).map((ms, index) => ms - times[index]!)
  const away = within.filter(({ status }) => status === 503)
  const others: Record<number, number> = {}
  for (const { status } of within)
    if (status !== 200 && status !== 503) others[status] = (others[status] ?? 0) + 1
  return {
    secondsWithoutAnswers: Math.max(...gaps) / 1_000,
    unavailable: away.length,
    lastUnavailableMs: away.length > 0 ? Math.max(...away.map(({ endedMs }) => endedMs)) : null,
    others,
  }
}

interface Evidence {
  answers: readonly Answered[]
  servers: readonly ServerProcess[]
  receiver: Receiver
  /** Changes whose publication was confirmed. */
  published: readonly string[]
}

/** Waits for what is under way first: outcomes, units that are given back, alerts. */
export async function judge(db: Db, { answers, servers, receiver, published }: Evidence): Promise<Verdict> {
  await until('every outcome', async () => (await sumOf(servers, 'ratecard_meter_unsettled_batches')) === 0, {
    timeoutMs: settleMs,
  })
  const served = answers.filter(({ status }) => status === 200)
  /** Of each key: what was answered without a unit; below 0, the units without an answer. */
  const uncharged = async () => {
    const units = await chargedByKey(db)
    for (const { keyId } of served) units.set(keyId, (units.get(keyId) ?? 0) - 1)
    return [...units.values()].map((left) => -left)
  }
  // What was granted to a request that had its 503 by then is given back.
  await until('balance', async () => (await uncharged()).every((units) => units === 0), {
    timeoutMs: 10_000,
    intervalMs: 100,
  }).catch(() => undefined)
  await until('alerts', async () => (await readDeliveries(db, 'pending')).length === 0, {
    timeoutMs: settleMs,
    intervalMs: 200,
  }).catch(() => undefined)
  const arrived = new Set(receiver.received.map(({ headers }) => String(headers['x-svc-delivery'])))
  const deliveries = await readDeliveries(db)
  const changes = await db.selectFrom('changes').select('id').execute()
  const stored = new Set(changes.map(({ id }) => id))
  const numbers = served.flatMap(({ keyId, number }) => (number === null ? [] : [`${keyId} ${number}`]))
  const left = await uncharged()
  return {
    answered: served.length,
    charged: sum([...(await chargedByKey(db)).values()]),
    overServed: sum(left.filter((units) => units > 0)),
    unserved: sum(left.filter((units) => units < 0).map((units) => -units)),
    doubled: numbers.length - new Set(numbers).size,
    published: deliveries.length,
    lostAlerts:
      deliveries.filter((id) => !arrived.has(id)).length + published.filter((id) => !stored.has(id)).length,
    ledgerDifferences: (await verifyLedger(db)).differences.length,
    noticedLosses: await sumOf(servers, 'ratecard_meter_batches_forgotten_total'),
  }
}

async function chargedByKey(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ key_id: string; units: number }>`
    select key_id, sum(units)::int as units from usage_entries group by key_id`.execute(db)
  return new Map(rows.map(({ key_id, units }) => [key_id, units]))
}

async function readDeliveries(db: Db, state?: 'pending'): Promise<string[]> {
  let query = db.selectFrom('deliveries').select('id')
  if (state) query = query.where('state', '=', state)
  return (await query.execute()).map(({ id }) => id)
}

async function sumOf(servers: readonly ServerProcess[], name: string): Promise<number> {
  const values = servers.map(async ({ adminUrl }) => {
    const text = await (await fetch(`${adminUrl}/metrics`)).text()
    return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1])
  })
  return sum(await Promise.all(values))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}
