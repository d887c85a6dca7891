import type { Operations } from '../pipeline/operation.ts'
import { createWebhook } from './createWebhook.ts'
import { deleteWebhook } from './deleteWebhook.ts'
import { getHealth } from './getHealth.ts'
import { getUsage } from './getUsage.ts'
import { listChanges } from './listChanges.ts'
import { listPrices } from './listPrices.ts'
import { listWebhooks } from './listWebhooks.ts'

/** Every operation of the contract. A missing, misspelled or wrongly answering one does not compile. */
export const operations = {
  getHealth,
  listPrices,
  listChanges,
  listWebhooks,
  createWebhook,
  deleteWebhook,
  getUsage,
} satisfies Operations
