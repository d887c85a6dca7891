/** The contract as generated types, for those who bring their own client or generator. Types only; nothing runs from here. */
export type { components, operations, paths, webhooks } from '@ratecard/contract'
