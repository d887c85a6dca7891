import type { components, operations, webhooks } from '../generated/types.ts'

export type { components, operations, paths, webhooks } from '../generated/types.ts'

/** The operations a client can call. The webhook is one that the client receives. */
export type OperationId = Exclude<keyof operations, keyof webhooks>

/** Component schemas by their names. */
type Schemas = components['schemas']

export type AlertedChange = Schemas['AlertedChange']
/** What a delivery tells of; a subscription may list `*` too. */
export type AlertEvent = Exclude<WebhookEvent, '*'>
export type Change = Schemas['Change']
export type ChangeAlert = Schemas['ChangeAlert']
export type ChangeAlternative = Schemas['ChangeAlternative']
export type ChangeList = Schemas['ChangeList']
export type ErrorBody = Schemas['ErrorBody']
export type ErrorCode = Schemas['ErrorCode']
export type Pagination = Schemas['Pagination']
export type Price = Schemas['Price']
export type PriceList = Schemas['PriceList']
export type QuotaErrorBody = Schemas['QuotaErrorBody']
export type Usage = Schemas['Usage']
export type Webhook = Schemas['Webhook']
export type WebhookEvent = Schemas['WebhookEvent']
export type WebhookInput = Schemas['WebhookInput']
