import { parseInstant } from '@ratecard/contract/instant'
import { checkPlan, type Accounts, type AccountState, type FakePlan } from './accounts.ts'
import type { PackGrant } from './meter.ts'
import { checkNames } from './refusal.ts'

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

export function fakeAccount(accounts: Accounts, state: AccountState): FakeAccount {
  const apiKey = accounts.createKey(state)
  return {
    id: state.id,
    apiKey,
    createKey: () => accounts.createKey(state),
    rotateKey: (key = apiKey) => accounts.rotateKey(state, key),
    revokeKey: (key = apiKey) => accounts.revokeKey(state, key),
    setPlan: (plan, options = {}) => {
      checkPlan(plan)
      checkNames('setPlan', options, ['until'])
      const { until } = options
      const end =
        until === undefined ? null : parseInstant(until instanceof Date ? until.toISOString() : until)
      if (until !== undefined && end === null) {
        throw new TypeError('`until` must be a Date or a time such as 2026-01-31T12:00:00Z.')
      }
      Object.assign(state, { plan, paidUntil: end })
    },
    grantPack: (grant = {}) => {
      checkNames('grantPack', grant, ['requests', 'expiresAt'])
      return accounts.grantPack(state, grant).id
    },
    setUsed: (requests, key = apiKey) => accounts.setUsed(state, key, requests),
  }
}
