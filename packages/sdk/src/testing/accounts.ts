import { planFacts, type PlanFacts } from '@ratecard/contract/plans'
import { fakeApiKey, fakeId } from './api-key.ts'
import { instantText, type FakeClock } from './clock.ts'
import { newCounter, newPack, today, type Counter, type Pack, type PackGrant } from './meter.ts'
import { checkOneOf } from './refusal.ts'

/** A plan of Ratecard. */
export type FakePlan = 'free' | 'developer' | 'scale' | 'team' | 'enterprise'

const terms: Record<FakePlan, PlanFacts> = planFacts

/** Refuses what is no plan. */
export function checkPlan(plan: unknown): void {
  checkOneOf('plan', plan, Object.keys(terms))
}

interface Key {
  key: string
  id: string
  counter: Counter
  revokedOn: string | null
}

/** An account with everything the service keeps of it. */
export interface AccountState {
  id: string
  plan: FakePlan
  /** When the paid plan ends; null: not in sight. */
  paidUntil: string | null
  keys: Key[]
  packs: Pack[]
}

/** Who sends a request, and what they may do now. */
export interface Caller extends PlanFacts {
  account: AccountState
  keyId: string
  counter: Counter
  isPaid: boolean
}

/** All accounts of the fake. */
export class Accounts {
  readonly #clock: FakeClock
  #accounts: AccountState[] = []
  #keyCount = 0
  #packCount = 0

  constructor(clock: FakeClock) {
    this.#clock = clock
  }

  clear(): void {
    this.#accounts = []
    this.#keyCount = 0
    this.#packCount = 0
  }

  create(plan: FakePlan): AccountState {
    checkPlan(plan)
    const id = fakeId('acct', this.#accounts.length + 1)
    const account: AccountState = { id, plan, paidUntil: null, keys: [], packs: [] }
    this.#accounts.push(account)
    return account
  }

  /** A new key. One made on the day on which another was revoked goes on with that one's counter. */
  createKey(account: AccountState): string {
    const active = account.keys.filter((key) => key.revokedOn === null)
    const { keysMax } = terms[this.#planOf(account)]
    if (active.length >= keysMax) {
      throw new RangeError(`This plan allows ${keysMax} active keys. Revoke one first.`)
    }
    const inUse = active.map(({ counter }) => counter)
    const freed = account.keys.find(
      ({ revokedOn, counter }) => revokedOn === this.#clock.day() && !inUse.includes(counter),
    )
    return this.#addKey(account, freed?.counter ?? newCounter())
  }

  /** Replaces a key by one that shares its counter. */
  rotateKey(account: AccountState, key: string): string {
    const { counter } = this.#activeKey(account, key)
    this.revokeKey(account, key)
    return this.#addKey(account, counter)
  }

  revokeKey(account: AccountState, key: string): void {
    this.#activeKey(account, key).revokedOn = this.#clock.day()
  }

  grantPack(account: AccountState, grant: PackGrant): Pack {
    const pack = newPack((this.#packCount += 1), grant, this.#clock)
    account.packs.push(pack)
    return pack
  }

  /** Sets what a key has used of today's quota, as if it had listed prices so often. */
  setUsed(account: AccountState, key: string, used: number): void {
    if (!Number.isSafeInteger(used) || used < 0)
      throw new RangeError('setUsed takes a whole number from 0 up: the requests used today.')
    const counter = today(this.#activeKey(account, key).counter, this.#clock)
    Object.assign(counter, { planUsed: used, endpoints: { prices: used, changes: 0, webhooks: 0 } })
  }

  /** The caller with this key; undefined when it is unknown or revoked. */
  find(key: string | null): Caller | undefined {
    for (const account of this.#accounts) {
      const found = account.keys.find((candidate) => candidate.key === key && candidate.revokedOn === null)
      if (!found) continue
      const plan = this.#planOf(account)
      return { account, keyId: found.id, counter: found.counter, isPaid: plan !== 'free', ...terms[plan] }
    }
    return undefined
  }

  /** Whether the account has a current paid plan. */
  isPaid(accountId: string): boolean {
    return this.#accounts.some((account) => account.id === accountId && this.#planOf(account) !== 'free')
  }

  #planOf({ plan, paidUntil }: AccountState): FakePlan {
    const isOver = paidUntil !== null && paidUntil <= instantText(this.#clock.nowMs() * 1000)
    return isOver ? 'free' : plan
  }

  #addKey(account: AccountState, counter: Counter): string {
    this.#keyCount += 1
    const key = fakeApiKey(this.#keyCount)
    account.keys.push({ key, id: fakeId('key', this.#keyCount), counter, revokedOn: null })
    return key
  }

  #activeKey({ keys }: AccountState, key: string): Key {
    const found = keys.find((candidate) => candidate.key === key && candidate.revokedOn === null)
    // The message leaves the key out: it may be a real one by mistake.
    if (!found) throw new RangeError('This account has no such active key.')
    return found
  }
}
