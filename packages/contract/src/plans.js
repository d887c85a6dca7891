/** @import { OperationId } from './index.ts' */

/**
 * @typedef {object} PlanFacts
 * @property {number} dailyLimit Metered requests per key and UTC day.
 * @property {number} keysMax Active keys that an account may have.
 * @property {number} activeWebhooksMax Active webhooks that an account may have. Infinity: no limit.
 */

const paid = { keysMax: 10, activeWebhooksMax: Infinity }

/** The plans, the smallest first. */
export const planFacts = /** @satisfies {Record<string, PlanFacts>} */ ({
  free: { dailyLimit: 100, keysMax: 2, activeWebhooksMax: 0 },
  developer: { ...paid, dailyLimit: 10_000, activeWebhooksMax: 2 },
  scale: { ...paid, dailyLimit: 100_000 },
  team: { ...paid, dailyLimit: 100_000 },
  enterprise: { ...paid, dailyLimit: 1_000_000 },
})

/**
 * What the free plan includes. Paid plans include every operation.
 * @type {ReadonlySet<OperationId>}
 */
export const freeOperations = new Set(['getHealth', 'getUsage', 'listPrices'])

/** @typedef {'prices' | 'changes' | 'webhooks'} MeteredEndpoint */

/** Under which name `GET /v1/usage` counts an operation; null: it is not metered. */
export const meteredAs = /** @satisfies {Record<OperationId, MeteredEndpoint | null>} */ (
  /** @type {const} */ ({
    getHealth: null,
    listPrices: 'prices',
    listChanges: 'changes',
    listWebhooks: 'webhooks',
    createWebhook: 'webhooks',
    deleteWebhook: 'webhooks',
    getUsage: null,
  })
)

/** How many requests a top-up pack holds. */
export const packUnits = 50_000
