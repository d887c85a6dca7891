import { MeterTimeout } from '../../src/features/metering/waiter.ts'
import type { UnitVerdict } from '../../src/features/metering/meter.ts'
import { probeMsMax, type Schedule, type SimulatedRequest } from './schedule.ts'

const waitMsMax = 2_000
const slackMs = 2
/** A batcher looks for outcomes for two seconds, with a connection that may take two more; there are two batchers. */
const closeMsMax = 10_000

/** The invariants of every schedule that do not hold; empty: all hold. */
export function violations(schedule: Schedule): string[] {
  return [
    ...everyRequestSettles(schedule),
    ...verdictsAreRight(schedule),
    ...chargesAreAnswers(schedule),
    ...limitsHold(schedule),
    ...countdownIsExact(schedule),
    ...packsAreUsedInOrder(schedule),
    ...nothingIsLeft(schedule),
  ]
}

const name = ({ process, request, startedMs }: SimulatedRequest) =>
  `${process.name}'s request for ${request.endpoint} with ${request.keyHash} at ${startedMs} ms`

const isGrant = ({ verdict }: SimulatedRequest) => verdict?.kind === 'granted'

const wasClosing = ({ process, settledMs }: SimulatedRequest) =>
  process.closingMs !== null && process.closingMs <= (settledMs ?? Infinity)

/** Whether every unit that was charged could be answered or given back. */
const isWhole = ({ processes }: Schedule) => processes.every(({ isAlive, gaveUp }) => isAlive && !gaveUp)

function* everyRequestSettles({ requests }: Schedule) {
  for (const sent of requests) {
    if (sent.settledMs === null) {
      if (sent.process.isAlive) yield `${name(sent)} never settled`
      continue
    }
    const tookMs = sent.settledMs - sent.startedMs
    if (tookMs > waitMsMax + slackMs) yield `${name(sent)} took ${tookMs} ms`
    if (sent.error instanceof MeterTimeout && tookMs < waitMsMax - slackMs && !wasClosing(sent))
      yield `${name(sent)} was given up after ${tookMs} ms`
    const error = sent.error as (Error & { code?: string }) | null
    if (['SyntaxError', 'TypeError'].includes(error?.name ?? '')) yield `${name(sent)}: ${error?.message}`
    if (error?.code === '40P01' || error?.code === '40001')
      yield `${name(sent)} failed by ${error.code} instead of being tried again`
    if (sent.isProbe && error) yield `${name(sent)} failed while nothing was wrong: ${error.message}`
    if (sent.isProbe && tookMs > probeMsMax) yield `${name(sent)} took ${tookMs} ms while nothing was wrong`
  }
}

function* verdictsAreRight({ requests, plansMoved, model }: Schedule) {
  for (const sent of requests) {
    const { verdict, atStart, request, accountId } = sent
    if (!verdict) continue
    const { isRevoked, plans, version } = atStart
    const plansStood = (plansMoved.get(accountId) ?? 0) === atStart.plansMoved
    const isIncluded = (plans & request.plans) !== 0
    const isKnown = model.keys.get(request.keyHash)?.revokedAtMs === null
    if (isRevoked && verdict.kind !== 'unknown') yield `${name(sent)}: ${verdict.kind} after the revocation`
    if (isKnown && verdict.kind === 'unknown') yield `${name(sent)}: unknown, but nobody revoked it`
    if (verdict.kind === 'granted' || verdict.kind === 'denied') {
      if (plansStood && !isIncluded) yield `${name(sent)}: ${verdict.kind}, but not in the plan`
      if (request.version !== null && Number(request.version) < version && request.endpoint !== 'webhooks')
        yield `${name(sent)}: ${verdict.kind} for a page of version ${request.version} when it was ${version}`
      if (verdict.accountId !== accountId) yield `${name(sent)}: the verdict of another account`
    }
    if (verdict.kind === 'forbidden' && plansStood && isIncluded) yield `${name(sent)}: forbidden by mistake`
    if (verdict.kind === 'stale' && request.version === null) yield `${name(sent)}: stale without a version`
  }
}

/** Exact, except for what a killed process had under way and could not answer, or could not give back. */
function* chargesAreAnswers({ requests, processes }: Schedule) {
  for (const process of processes) {
    const own = requests.filter((sent) => sent.process === process)
    const granted = own.filter(isGrant).length
    const extra = process.charged - granted
    if (extra < 0) yield `${process.name} granted ${granted} units and charged ${process.charged}`
    const unanswered = own.filter((sent) => sent.settledMs === null || sent.error !== null).length
    const extraMax = !process.isAlive || process.gaveUp ? unanswered : 0
    if (extra > extraMax) yield `${process.name} charged ${process.charged} units and granted ${granted}`
  }
}

function verdictsByCounter(requests: readonly SimulatedRequest[]): Map<string, UnitVerdict[]> {
  const counters = new Map<string, UnitVerdict[]>()
  for (const { verdict, quotaSubject } of requests) {
    if (verdict?.kind !== 'granted' && verdict?.kind !== 'denied') continue
    const dayMs = verdict.rateLimit.resetAtSeconds * 1_000 - 86_400_000
    const counter = `${quotaSubject} ${new Date(dayMs).toISOString().slice(0, 10)}`
    counters.set(counter, [...(counters.get(counter) ?? []), verdict])
  }
  return counters
}

const paidByPlan = (verdicts: readonly UnitVerdict[]) =>
  verdicts.filter(({ kind, rateLimit }) => kind === 'granted' && !rateLimit.topup)

function* limitsHold(schedule: Schedule) {
  const { requests, model } = schedule
  const counters = verdictsByCounter(requests)
  for (const [counter, verdicts] of counters) {
    const granted = paidByPlan(verdicts).length
    const limit = Math.max(...verdicts.map(({ rateLimit }) => rateLimit.limit))
    if (granted > limit) yield `${counter}: the plan of ${limit} granted ${granted}`
    for (const { kind, rateLimit } of verdicts)
      if ((kind === 'denied' || rateLimit.topup) && rateLimit.remaining > 0)
        yield `${counter}: ${kind} by the plan with ${rateLimit.remaining} left`
  }
  // The database's records equal the answers.
  if (!isWhole(schedule)) return
  for (const [counter, used] of model.planUsed) {
    const granted = paidByPlan(counters.get(counter) ?? []).length
    if (granted !== used) yield `${counter}: ${used} units used, ${granted} granted`
  }
}

function* countdownIsExact(schedule: Schedule) {
  const { requests, model } = schedule
  for (const [counter, verdicts] of verdictsByCounter(requests)) {
    const [first] = verdicts
    const isOneLimit = verdicts.every(({ rateLimit }) => rateLimit.limit === first?.rateLimit.limit)
    if (!first || !isOneLimit) continue
    const remainders = paidByPlan(verdicts).map(({ rateLimit }) => rateLimit.remaining)
    const descending = remainders.toSorted((a, b) => b - a)
    if (new Set(remainders).size !== remainders.length)
      yield `${counter}: a remainder was answered twice: ${descending.join()}`
    // Every number from the first on, but for those that were given back and nobody has taken since.
    const gaps = new Set(model.gaps.get(counter))
    const numbers = Array.from({ length: (model.planUsed.get(counter) ?? 0) + gaps.size }, (_, n) => n + 1)
    const expected = numbers.filter((number) => !gaps.has(number)).map((n) => first.rateLimit.limit - n)
    if (isWhole(schedule) && descending.join() !== expected.join())
      yield `${counter}: not a countdown: ${descending.join()}`
  }
}

function* packsAreUsedInOrder(schedule: Schedule) {
  const { model, requests } = schedule
  const byPack = new Map<string, number>()
  for (const [entry, units] of model.ledger) {
    const packId = entry.split(' ')[4] ?? ''
    if (packId !== '') byPack.set(packId, (byPack.get(packId) ?? 0) + units)
  }
  for (const pack of model.packs) {
    const used = pack.units - pack.remaining
    if (pack.remaining < 0 || used < 0) yield `${pack.id} has ${pack.remaining} of ${pack.units} units`
    if (used !== (byPack.get(pack.id) ?? 0)) yield `${pack.id} used ${used}, but the ledger says otherwise`
  }
  if (!isWhole(schedule)) return
  for (const accountId of model.accounts.keys()) {
    const paid = requests.filter(
      (sent) =>
        sent.accountId === accountId && isGrant(sent) && (sent.verdict as UnitVerdict).rateLimit.topup,
    ).length
    const used = model.packs
      .filter((pack) => pack.accountId === accountId)
      .reduce((sum, pack) => sum + pack.units - pack.remaining, 0)
    if (paid !== used) yield `${accountId}: packs paid ${used} units, ${paid} granted`
  }
}

function* nothingIsLeft({ processes, time }: Schedule) {
  for (const { name, isAlive, closingMs, closedMs, sessionsOpen } of processes) {
    if (!isAlive || closingMs === null) continue
    if (closedMs === null) yield `${name} did not close`
    else if (closedMs - closingMs > closeMsMax) yield `${name} took ${closedMs - closingMs} ms to close`
    if (sessionsOpen !== 0) yield `${name} left ${sessionsOpen} sessions open`
  }
  if (time.timers() > 0) yield `${time.timers()} timers are left`
}
