import type { FakeChange, FakePlan, FakePrice } from '../../src/testing.ts'

/** A customer of a target, whose key differs from target to target. */
export interface TargetCustomer {
  key: string
  createKey: () => Promise<string>
  revokeKey: () => Promise<void>
  setPlan: (plan: FakePlan) => Promise<void>
  grantPack: (requests: number, expiresAt?: string) => Promise<void>
  /** Sets what the first key has used today. */
  setUsed: (requests: number) => Promise<void>
}

/** A Ratecard to put the same questions to: the real one, or the fake. */
export interface Target {
  name: string
  /** What the service calls itself; the same for both. */
  baseUrl: string
  fetch: (path: string, init?: RequestInit) => Promise<Response>
  createCustomer: (plan: FakePlan) => Promise<TargetCustomer>
  putPrices: (...prices: FakePrice[]) => Promise<void>
  putChanges: (...changes: FakeChange[]) => Promise<void>
  /** Sets the clock, forwards only. */
  setClock: (instant: string) => Promise<void>
}

export const startInstant = '2026-11-21T09:30:00.000000Z'
