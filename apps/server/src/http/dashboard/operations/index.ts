// Every operation of the dashboard's contract, by its tags: `run.ts` holds them against it.

export * from './signing-in.ts'
export * from './own-user.ts'
export * from './account.ts'
export * from './keys.ts'
export * from './usage.ts'
export * from './prices.ts'
export * from './price-files.ts'
export * from './changes.ts'
export * from './webhooks.ts'
export * from './deliveries.ts'
export * from './billing.ts'
export * from './review.ts'
