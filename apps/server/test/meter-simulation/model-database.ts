import type { DailyLimits, Release, UnitItem } from '../../src/features/metering/unit-store.ts'

// The effects of `reserve_units`, `release_units` and `recover_batch`, in a few words of another language and without
// their locks: each call is an isolated transaction. `reserve-units.property.test.ts` compares the two.

export interface ModelKey {
  id: string
  hash: string
  accountId: string
  quotaSubject: string
  revokedAtMs: number | null
}

export interface ModelPack {
  id: string
  accountId: string
  purchasedMs: number
  expiresMs: number
  units: number
  remaining: number
}

export interface ModelAccount {
  /** Bits of the paid plans it holds; the free plan's is added. */
  plans: number
}

const dayMs = 86_400_000

export class ModelDatabase {
  /** By hash. */
  readonly keys = new Map<string, ModelKey>()
  readonly accounts = new Map<string, ModelAccount>()
  readonly packs: ModelPack[] = []
  readonly versions = new Map<string, number>([
    ['prices', 0],
    ['changes', 0],
  ])
  /** Units of the plan used, by `${quotaSubject} ${day}`. */
  readonly planUsed = new Map<string, number>()
  /** Numbers of the countdown that were given back after others had counted on, lowest first, by the same. */
  readonly gaps = new Map<string, number[]>()
  /** The payments, by quota subject, day, key, endpoint and pack. */
  readonly ledger = new Map<string, number>()
  readonly batchers = new Map<string, { batch: number; outcome: string }>()
  #undo: (() => void)[] | null = null

  reserveUnits(
    batch: { batcher: string; number: number } | null,
    limits: DailyLimits,
    items: readonly UnitItem[],
    nowMs: number,
  ): string {
    if (batch) this.#checkFence(batch)
    const day = new Date(nowMs).toISOString().slice(0, 10)
    const results = new Map<number, unknown>()
    const short: { item: UnitItem; key: ModelKey; missing: number; packs: [string, number][] }[] = []
    for (const { index, key, item } of this.#inOrder(items, nowMs)) {
      const account = key && this.accounts.get(key.accountId)
      const held = 1 | (account?.plans ?? 0)
      if (!key) results.set(index, 'unknown')
      else if ((held & item.plans) === 0) results.set(index, 'forbidden')
      else if (this.#isStale(item)) results.set(index, 'stale')
      else {
        const limit = limitOf(limits, held)
        const counter = `${key.quotaSubject} ${day}`
        const used = this.planUsed.get(counter) ?? 0
        const grant = Math.max(0, Math.min(item.want, limit - used))
        const usedAfter = used < limit ? used + grant : limit
        const gaps = this.gaps.get(counter) ?? []
        const filled = gaps.slice(0, grant)
        if (filled.length > 0) this.#set(this.gaps, counter, gaps.slice(filled.length))
        if (grant > 0) {
          this.#set(this.planUsed, counter, usedAfter)
          this.#pay(key, day, item.endpoint, '', grant)
        }
        const packs: [string, number][] = []
        const head = [key.id, key.accountId, key.quotaSubject, limit, usedAfter, grant - filled.length, packs]
        results.set(index, filled.length > 0 ? [...head, runsOf(filled)] : head)
        if (grant < item.want) short.push({ item, key, missing: item.want - grant, packs })
      }
    }
    // In the database's order of accounts; within one, in the order of the items.
    short.sort((a, b) => items.indexOf(a.item) - items.indexOf(b.item))
    for (const { item, key, missing, packs } of short) {
      let left = missing
      for (const pack of this.livePacks(key.accountId, nowMs)) {
        const units = Math.min(left, pack.remaining)
        if (units === 0) break
        this.#takeFromPack(pack, units)
        left -= units
        packs.push([pack.id, units])
        this.#pay(key, day, item.endpoint, pack.id, units)
      }
    }
    const midnightMs = Date.parse(day) + dayMs
    const outcome = JSON.stringify({
      day,
      secondsToReset: Math.max(1, Math.ceil((midnightMs - nowMs) / 1_000)),
      items: items.map((_, index) => results.get(index)),
    })
    if (batch) this.#set(this.batchers, batch.batcher, { batch: batch.number, outcome })
    return outcome
  }

  releaseUnits(batch: { batcher: string; number: number } | null, releases: readonly Release[]): void {
    if (batch) this.#checkFence(batch)
    for (const { quotaSubject, day, keyId, endpoint, packId, units, last } of releases) {
      const counter = `${quotaSubject} ${day}`
      const pack = this.packs.find(({ id }) => id === packId)
      if (pack) this.#takeFromPack(pack, -units)
      else {
        const used = this.planUsed.get(counter) ?? 0
        const gaps = this.gaps.get(counter) ?? []
        let highest = used + gaps.length
        const all = [...gaps, ...Array.from({ length: units }, (_, index) => (last ?? 0) - index)]
        all.sort((a, b) => a - b)
        for (; all.at(-1) === highest && all.length > 0; highest -= 1) all.pop()
        this.#set(this.gaps, counter, all)
        this.#set(this.planUsed, counter, used - units)
      }
      const entry = ledgerName(quotaSubject, day, keyId, endpoint, packId ?? '')
      const left = (this.ledger.get(entry) ?? 0) - units
      if (left < 0) throw new Error(`more was given back than was paid: ${entry}`)
      this.#set(this.ledger, entry, left)
    }
    if (batch) this.#set(this.batchers, batch.batcher, { batch: batch.number, outcome: 'released' })
  }

  recoverBatch({ batcher, number }: { batcher: string; number: number }): string | null {
    const last = this.batchers.get(batcher)
    if (last?.batch === number) return last.outcome === '' ? null : last.outcome
    if ((last?.batch ?? 0) < number) this.#set(this.batchers, batcher, { batch: number, outcome: '' })
    return null
  }

  /** In the order in which they are used. */
  livePacks(accountId: string, nowMs: number): ModelPack[] {
    return this.packs
      .filter((pack) => pack.accountId === accountId && pack.remaining > 0 && pack.expiresMs > nowMs)
      .sort((a, b) => a.purchasedMs - b.purchasedMs || (a.id < b.id ? -1 : 1))
  }

  activeKey(hash: string, nowMs: number): ModelKey | undefined {
    const key = this.keys.get(hash)
    return key && (key.revokedAtMs === null || key.revokedAtMs > nowMs) ? key : undefined
  }

  /** Units charged and not given back. */
  charged(): number {
    return [...this.ledger.values()].reduce((sum, units) => sum + units, 0)
  }

  /** Runs a transaction, and returns its result and a function that rolls it back. */
  transact<T>(work: () => T): { result: T; rollBack: () => void } {
    const undo: (() => void)[] = []
    const rollBack = () => {
      for (const step of undo.toReversed()) step()
    }
    this.#undo = undo
    try {
      return { result: work(), rollBack }
    } catch (error) {
      rollBack()
      throw error
    } finally {
      this.#undo = null
    }
  }

  #set<T>(map: Map<string, T>, name: string, value: T): void {
    const before = map.get(name)
    this.#undo?.push(() => void (before === undefined ? map.delete(name) : map.set(name, before)))
    map.set(name, value)
  }

  #takeFromPack(pack: ModelPack, units: number): void {
    this.#undo?.push(() => (pack.remaining += units))
    pack.remaining -= units
  }

  #inOrder(items: readonly UnitItem[], nowMs: number) {
    return items
      .map((item, index) => {
        const subject = this.keys.get(item.keyHash)?.quotaSubject ?? '\uffff'
        return { index, item, subject, key: this.activeKey(item.keyHash, nowMs) }
      })
      .sort((a, b) => (a.subject < b.subject ? -1 : a.subject > b.subject ? 1 : a.index - b.index))
  }

  #isStale({ version, endpoint }: UnitItem): boolean {
    const current = this.versions.get(endpoint)
    return version !== null && current !== undefined && BigInt(version) !== BigInt(current)
  }

  #pay(key: ModelKey, day: string, endpoint: string, packId: string, units: number): void {
    const entry = ledgerName(key.quotaSubject, day, key.id, endpoint, packId)
    this.#set(this.ledger, entry, (this.ledger.get(entry) ?? 0) + units)
  }

  #checkFence({ batcher, number }: { batcher: string; number: number }): void {
    if ((this.batchers.get(batcher)?.batch ?? 0) >= number) throw new BatchGivenUp()
  }
}

/** Numbers that follow each other, each row of them as its last and its length. */
function runsOf(numbers: readonly number[]): [last: number, units: number][] {
  const runs: [number, number][] = []
  for (const number of numbers) {
    const run = runs.at(-1)
    if (run && run[0] === number - 1) [run[0], run[1]] = [number, run[1] + 1]
    else runs.push([number, 1])
  }
  return runs
}

export class BatchGivenUp extends Error {}

function ledgerName(
  quotaSubject: string,
  day: string,
  keyId: string,
  endpoint: string,
  packId: string,
): string {
  return [quotaSubject, day, keyId, endpoint, packId].join(' ')
}

function limitOf(limits: DailyLimits, held: number): number {
  const bits = { free: 1, developer: 2, scale: 4, team: 8, enterprise: 16 }
  return Math.max(
    ...Object.entries(bits).map(([plan, bit]) => (held & bit ? limits[plan as keyof DailyLimits] : 0)),
  )
}
