// Every operation of the contract: `run-operation.ts` holds them against it.

export * from './createWebhook.ts'
export * from './deleteWebhook.ts'
export * from './getHealth.ts'
export * from './getUsage.ts'
export * from './listChanges.ts'
export * from './listPrices.ts'
export * from './listWebhooks.ts'
