export type { ApiPromise, ApiResponse } from './api-promise.ts'
export type { Catalog, CatalogParams, RefreshedCatalog, RefreshOptions } from './catalog.ts'
export { Ratecard, Ratecard as default } from './client.ts'
export type { ChangeDiff, DiffFields, ListedChange } from './diff.ts'
export {
  ApiError,
  type ApiErrorOptions,
  AuthenticationError,
  BadRequestError,
  ConfigurationError,
  ConnectionError,
  type ConnectionErrorOptions,
  InternalServerError,
  InvalidResponseError,
  type InvalidResponseErrorOptions,
  NotFoundError,
  PaymentRequiredError,
  PermissionDeniedError,
  RatecardError,
  type RatecardErrorOptions,
  RateLimitError,
  RequestAbortedError,
  ServiceUnavailableError,
  TimeoutError,
} from './errors.ts'
export type { FollowOptions } from './follow.ts'
export type { CallView, EndView, Hooks, RequestView, ResponseView, RetryView } from './hooks.ts'
export type { List, ListOptions, Page } from './list.ts'
export type {
  Change,
  ChangeAlternative,
  ChangeCategory,
  ChangeStatus,
  DailyQuota,
  DeletedResult,
  EndpointCounts,
  ErrorCode,
  Health,
  Modality,
  Open,
  Price,
  PriceUnit,
  TopupBalance,
  TopupPack,
  Usage,
  Webhook,
  WebhookEvent,
} from './generated/models.ts'
export type { OperationId } from './operations.ts'
export type {
  FetchInit,
  FetchLike,
  FetchResponse,
  HeaderValues,
  RatecardOptions,
  RequestOptions,
} from './options.ts'
export type { ChangeListParams, PriceListParams, WebhookCreateParams } from './generated/models.ts'
export type { RateLimit } from './headers.ts'
export type {
  ChangePollParams,
  Changes,
  FollowRequestOptions,
  Prices,
  PriceSyncParams,
  UsageResource,
  Webhooks,
} from './resources.ts'
export type { CallTrace } from './tracing.ts'
export { version } from './version.ts'
