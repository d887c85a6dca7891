import type { OperationId } from '@ratecard/contract'
import { freeOperations, meteredAs, planFacts } from '@ratecard/contract/plans'

export const paidPlans = ['developer', 'scale', 'team', 'enterprise'] as const
export type PaidPlan = (typeof paidPlans)[number]
export type Plan = 'free' | PaidPlan

/** Plans as bits of a number, in the order of their limits in `reserve_units`. The database's `plan_bit` is the same table. */
export const planBits: Readonly<Record<Plan, number>> = {
  free: 1,
  developer: 2,
  scale: 4,
  team: 8,
  enterprise: 16,
}

export interface PlanTerms {
  /** Metered requests per key and UTC day. */
  dailyLimit: number
  /** Keys an account may hold at a time. */
  keysMax: number
  /** Active webhooks an account may have; Infinity: as many as it likes. */
  activeWebhooksMax: number
  operations: ReadonlySet<OperationId>
  /** How much of a change the plan shows. */
  changeAccess: 'full' | 'summary'
  /** The plan as `GET /v1/usage` names it: the interface knows two names. */
  usageName: 'api_free' | 'developer'
}

const paid = {
  operations: new Set(Object.keys(meteredAs) as OperationId[]),
  changeAccess: 'full',
  usageName: 'developer',
} as const

/** The one table of what each plan may do. Its numbers are the contract's, which customers read too. */
export const plans: Readonly<Record<Plan, PlanTerms>> = {
  free: {
    ...planFacts.free,
    operations: freeOperations,
    changeAccess: 'summary',
    usageName: 'api_free',
  },
  developer: { ...planFacts.developer, ...paid },
  scale: { ...planFacts.scale, ...paid },
  team: { ...planFacts.team, ...paid },
  enterprise: { ...planFacts.enterprise, ...paid },
}

/**
 * What an account with these current paid plans may do. With several, the most generous term of each counts, and adding
 * a plan never takes anything away. An account's label decides nothing.
 */
export function termsFor(current: readonly PaidPlan[]): PlanTerms {
  return current.map((plan) => plans[plan]).reduce(moreGenerous, plans.free)
}

/**
 * The terms of a key: one for prices alone may ask for what the free plan includes. The database says the same of the
 * endpoints that are metered, in `reserve_units`.
 */
export function withinScope(scope: 'all' | 'prices', terms: PlanTerms): PlanTerms {
  return scope === 'all' ? terms : { ...terms, operations: freeOperations }
}

/** The plan to name where one is named: the largest of those that are current. */
export function largestPlan(current: readonly PaidPlan[]): Plan {
  return paidPlans.findLast((plan) => current.includes(plan)) ?? 'free'
}

/** The paid plans of these bits. */
export function listPaidPlans(bits: number): PaidPlan[] {
  return paidPlans.filter((plan) => (bits & planBits[plan]) !== 0)
}

/** The plans whose terms match, as bits. */
export function plansWhere(matches: (terms: PlanTerms) => boolean): number {
  const entries = Object.entries(planBits) as [Plan, number][]
  return entries.reduce((bits, [plan, bit]) => (matches(plans[plan]) ? bits | bit : bits), 0)
}

/** The requests a day of each plan. */
export const dailyLimits: Readonly<Record<Plan, number>> = {
  free: plans.free.dailyLimit,
  developer: plans.developer.dailyLimit,
  scale: plans.scale.dailyLimit,
  team: plans.team.dailyLimit,
  enterprise: plans.enterprise.dailyLimit,
}

function moreGenerous(a: PlanTerms, b: PlanTerms): PlanTerms {
  return {
    dailyLimit: Math.max(a.dailyLimit, b.dailyLimit),
    keysMax: Math.max(a.keysMax, b.keysMax),
    activeWebhooksMax: Math.max(a.activeWebhooksMax, b.activeWebhooksMax),
    operations: a.operations.union(b.operations),
    changeAccess: a.changeAccess === 'full' ? 'full' : b.changeAccess,
    usageName: a.usageName === 'developer' ? 'developer' : b.usageName,
  }
}
