/** The contract as generated types, for users of another client or generator. Types only; nothing runs from here. */
export type { components, operations, paths, webhooks } from '@ratecard/contract'
