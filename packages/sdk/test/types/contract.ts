/**
 * Binds the types that people read to those that openapi-typescript makes of the same contract. Nothing runs here: a field
 * that one of them lacks, names or types otherwise does not compile.
 */
import type { components, operations, webhooks } from '@ratecard/contract'
import type * as sdk from '../../src/index.ts'

type Schemas = components['schemas']

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** The `string & {}` of an open union; not the plain `string`. */
type IsOpening<T> = T extends string
  ? Equal<T, string> extends true
    ? false
    : string extends T
      ? true
      : false
  : false

/** An open union as the closed one of its known values. */
type Closed<T> = T extends unknown ? (IsOpening<T> extends true ? never : T) : never

/** An open union as the plain string it is on the wire, when the contract does not list the values. */
type Opened<T> = true extends (T extends unknown ? IsOpening<T> : never) ? string | Exclude<T, string> : T

type OptionalKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T]

/** Whether ours says what theirs says, field by field. */
type Same<Ours, Theirs> =
  Equal<Ours, Theirs> extends true
    ? true
    : Equal<Closed<Ours>, Theirs> extends true
      ? true
      : Equal<Opened<Ours>, Theirs> extends true
        ? true
        : [Ours, Theirs] extends [readonly (infer A)[], readonly (infer B)[]]
          ? Same<A, B>
          : [Ours, Theirs] extends [object, object]
            ? SameFields<Ours, Theirs>
            : false

type SameFields<Ours, Theirs> =
  Equal<keyof Ours, keyof Theirs> extends true
    ? Equal<OptionalKeys<Ours>, OptionalKeys<Theirs>> extends true
      ? {
          [K in keyof Theirs]-?: K extends keyof Ours
            ? Same<Exclude<Ours[K], undefined>, Exclude<Theirs[K], undefined>>
            : false
        }[keyof Theirs]
      : false
    : false

/** Parameter names as the contract spells them. */
type Snake<T extends string> = T extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : ''

type OnTheWire<Params> = { [K in keyof Params as Snake<K & string>]: Exclude<Params[K], Date> }

type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>

function holds<_T extends true>(): void {}

holds<Same<sdk.Price, Schemas['Price']>>()
holds<Same<sdk.Change, Schemas['Change']>>()
holds<Same<sdk.ChangeAlternative, Schemas['ChangeAlternative']>>()
holds<Same<sdk.Webhook, Schemas['Webhook']>>()
holds<Same<sdk.WebhookEvent, Schemas['WebhookEvent']>>()
holds<Same<sdk.DeletedResult, Schemas['DeletedResult']>>()
holds<Same<sdk.Health, Schemas['Health']>>()
holds<Same<sdk.DailyQuota, Schemas['DailyQuota']>>()
holds<Same<sdk.TopupPack, Schemas['TopupPack']>>()
holds<Same<sdk.TopupBalance, Schemas['TopupBalance']>>()
holds<Same<Omit<sdk.Usage, 'endpoints'>, Omit<Schemas['Usage'], 'endpoints'>>>()
holds<Same<sdk.EndpointCounts['prices'], Schemas['EndpointCounts']['prices']>>()
holds<Equal<keyof sdk.EndpointCounts, keyof Schemas['EndpointCounts']>>()
holds<Same<sdk.ErrorCode, Schemas['ErrorCode']>>()
holds<Equal<sdk.OperationId, Exclude<keyof operations, keyof webhooks>>>()
holds<SameFields<OnTheWire<sdk.PriceListParams>, Query<'listPrices'>>>()
holds<SameFields<OnTheWire<sdk.ChangeListParams>, Query<'listChanges'>>>()
// The generator makes a property with a default a required one.
holds<SameFields<Required<sdk.WebhookCreateParams>, Schemas['WebhookInput']>>()
holds<Equal<OptionalKeys<sdk.WebhookCreateParams>, 'events'>>()
holds<Equal<keyof Schemas['PriceList'], 'schema_version' | 'data' | 'pagination'>>()

// That the comparison can fail:
// @ts-expect-error a field more
holds<Same<sdk.TopupPack, Schemas['TopupPack'] & { more: string }>>()
// @ts-expect-error a field that became optional
holds<SameFields<{ a: string }, { a?: string }>>()
// @ts-expect-error another type
holds<Same<{ a: string | null }, { a: string }>>()
// @ts-expect-error a known value that is not listed here
holds<Same<sdk.Open<'a'>, 'a' | 'b'>>()
// @ts-expect-error a closed union where the contract is open
holds<Same<'a' | 'b', string>>()
