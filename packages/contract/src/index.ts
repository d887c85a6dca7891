import type { components, operations, webhooks } from '../generated/types.ts'

export type { components, operations, paths, webhooks } from '../generated/types.ts'

/** The operations a client can call. The webhook is one that the client receives. */
export type OperationId = Exclude<keyof operations, keyof webhooks>

/** Every component schema by its name. */
export type Schemas = components['schemas']

export type AlertedChange = Schemas['AlertedChange']
export type Change = Schemas['Change']
export type ChangeAccess = Schemas['ChangeAccess']
export type ChangeAlert = Schemas['ChangeAlert']
export type ChangeAlertEvent = Schemas['ChangeAlertEvent']
export type ChangeAlternative = Schemas['ChangeAlternative']
export type ChangeList = Schemas['ChangeList']
export type CursorText = Schemas['CursorText']
export type DailyQuota = Schemas['DailyQuota']
export type DeletedResult = Schemas['DeletedResult']
export type EndpointCounts = Schemas['EndpointCounts']
export type EpochSeconds = Schemas['EpochSeconds']
export type ErrorBody = Schemas['ErrorBody']
export type ErrorCode = Schemas['ErrorCode']
export type ExactFilter = Schemas['ExactFilter']
export type Health = Schemas['Health']
export type MigrationEffort = Schemas['MigrationEffort']
export type Pagination = Schemas['Pagination']
export type Price = Schemas['Price']
export type PriceList = Schemas['PriceList']
export type QuotaCount = Schemas['QuotaCount']
export type QuotaErrorBody = Schemas['QuotaErrorBody']
export type SchemaVersion = Schemas['SchemaVersion']
export type Timestamp = Schemas['Timestamp']
export type TopupBalance = Schemas['TopupBalance']
export type TopupPack = Schemas['TopupPack']
export type Usage = Schemas['Usage']
export type UsagePlan = Schemas['UsagePlan']
export type Webhook = Schemas['Webhook']
export type WebhookEvent = Schemas['WebhookEvent']
export type WebhookInput = Schemas['WebhookInput']
export type WebhookList = Schemas['WebhookList']
export type WebhookResult = Schemas['WebhookResult']
