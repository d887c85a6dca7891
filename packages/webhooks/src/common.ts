// What every entry exports.

export { WebhookVerificationError, type WebhookErrorCode } from './error.ts'
export { replayKey } from './pipeline.ts'
export type * from './types.ts'
