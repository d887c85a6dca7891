import { planFacts, type PlanFacts } from '@ratecard/contract/plans'
import { fakeApiKey, fakeId } from './api-key.ts'
import { givenInstant, type FakeClock } from './clock.ts'
import { newCounter, newPack, today, type Counter, type Pack, type PackGrant } from './meter.ts'
import { checkNames, checkOneOf } from './refusal.ts'

/** A plan of Ratecard. */
export type FakePlan = 'free' | 'developer' | 'scale' | 'team' | 'enterprise'

const terms: Record<FakePlan, PlanFacts> = planFacts

function checkPlan(plan: unknown): void {
  checkOneOf('plan', plan, Object.keys(terms))
}

/** An account of the fake, with keys and packs. */
export interface FakeAccount {
  /** `acct_…` */
  readonly id: string
  /** Its first key. */
  readonly apiKey: string
  /** A further key with a daily quota of its own: at most 2 active ones on the free plan, 10 on a paid one. */
  createKey(): string
  /** Replaces a key, the first one by default, by a new one that goes on with its count. */
  rotateKey(key?: string): string
  /** Refuses a key, the first one by default, from the next request on. */
  revokeKey(key?: string): void
  /** Moves the account to another plan from the next request on; after `until` it is on the free one. */
  setPlan(plan: FakePlan, options?: { until?: Date | string | undefined }): void
  /** Adds a top-up pack, and returns its id. It serves all keys of the account. */
  grantPack(grant?: PackGrant): string
  /** Sets how much of today's daily quota a key, the first one by default, has used. */
  setUsed(requests: number, key?: string): void
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

export class Accounts {
  readonly #clock: FakeClock
  readonly #accounts: AccountState[] = []
  #keyCount = 0
  #packCount = 0

  constructor(clock: FakeClock) {
    this.#clock = clock
  }

  create(plan: FakePlan): FakeAccount {
    checkPlan(plan)
    const clock = this.#clock
    const id = fakeId('acct', this.#accounts.length + 1)
    const account: AccountState = { id, plan, paidUntil: null, keys: [], packs: [] }
    this.#accounts.push(account)
    const apiKey = this.#addKey(account)
    return {
      id,
      apiKey,
      createKey: () => {
        const active = account.keys.filter(isActive)
        const { keysMax } = terms[this.#planOf(account)]
        if (active.length >= keysMax)
          throw new RangeError(`This plan allows ${keysMax} active keys. Revoke one first.`)
        // A key made on the day on which another was revoked goes on with that one's counter.
        const inUse = active.map(({ counter }) => counter)
        const freed = account.keys.find(
          ({ revokedOn, counter }) => revokedOn === clock.day() && !inUse.includes(counter),
        )
        return this.#addKey(account, freed?.counter)
      },
      rotateKey: (key = apiKey) => {
        const old = activeKey(account, key)
        old.revokedOn = clock.day()
        return this.#addKey(account, old.counter)
      },
      revokeKey: (key = apiKey) => {
        activeKey(account, key).revokedOn = clock.day()
      },
      setPlan: (newPlan, options = {}) => {
        checkPlan(newPlan)
        checkNames('setPlan', options, ['until'])
        const { until } = options
        account.paidUntil = until === undefined ? null : givenInstant('until', until)
        account.plan = newPlan
      },
      grantPack: (grant = {}) => {
        checkNames('grantPack', grant, ['requests', 'expiresAt'])
        const pack = newPack((this.#packCount += 1), clock, grant)
        account.packs.push(pack)
        return pack.id
      },
      setUsed: (requests, key = apiKey) => {
        if (!Number.isSafeInteger(requests) || requests < 0)
          throw new RangeError('setUsed takes a whole number from 0 up: the requests used today.')
        const counter = today(activeKey(account, key).counter, clock)
        // As if the key had listed prices so often.
        Object.assign(counter, {
          planUsed: requests,
          endpoints: { prices: requests, changes: 0, webhooks: 0 },
        })
      },
    }
  }

  /** The caller with this key; undefined when it is unknown or revoked. */
  find(key: string | null): Caller | undefined {
    for (const account of this.#accounts) {
      const found = findActive(account, key)
      if (!found) continue
      const plan = this.#planOf(account)
      return { account, keyId: found.id, counter: found.counter, isPaid: plan !== 'free', ...terms[plan] }
    }
    return undefined
  }

  /** Whether the account has a current paid plan. */
  isPaid(account: AccountState): boolean {
    return this.#planOf(account) !== 'free'
  }

  #planOf({ plan, paidUntil }: AccountState): FakePlan {
    return paidUntil !== null && paidUntil <= this.#clock.nowText() ? 'free' : plan
  }

  #addKey(account: AccountState, counter = newCounter()): string {
    this.#keyCount += 1
    const key = fakeApiKey(this.#keyCount)
    account.keys.push({ key, id: fakeId('key', this.#keyCount), counter, revokedOn: null })
    return key
  }
}

const isActive = ({ revokedOn }: Key) => revokedOn === null

function findActive({ keys }: AccountState, key: string | null): Key | undefined {
  return keys.find((candidate) => candidate.key === key && isActive(candidate))
}

function activeKey(account: AccountState, key: string): Key {
  const found = findActive(account, key)
  // The message leaves the key out: it may be a real one by mistake.
  if (!found) throw new RangeError('This account has no such active key.')
  return found
}
