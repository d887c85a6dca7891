import type { OperationId, operations } from '@ratecard/contract'
import type { Db, Trx } from '../../database/connect.ts'
import type { Caller } from '../../features/entitlements/caller-store.ts'
import type { Meter } from '../../features/metering/meter.ts'
import type { RateLimit } from '../../features/metering/rate-limit.ts'
import type { AddressGuard } from '@ratecard/contract/addresses'
import type { SecretBox } from '../../features/webhooks/secret-box.ts'
import type { Clock } from '../../platform/clock.ts'
import type { CellHost } from '../../platform/config.ts'
import type { ListOperationId, ListQuery } from '../lists/list-query.ts'

/** What the contract lets a request of an operation bring along. */
interface Input<Operation extends { parameters: unknown }> {
  query: Operation['parameters'] extends { query?: infer Query } ? NonNullable<Query> : never
  path: Operation['parameters'] extends { path: infer Path } ? Path : never
  body: Operation extends { requestBody: { content: { 'application/json': infer Body } } } ? Body : never
}

type Success = 200 | 201 | 202

/** One answer of an operation: a success status of the contract with the body, or the file, that it has there. */
type Answer<Operation extends { responses: object }, Responses = Operation['responses']> = {
  [Status in keyof Responses & Success]: Responses[Status] extends { content: infer Content }
    ? Content extends { 'application/json': infer Body }
      ? { status: Status; body: Body }
      : { status: Status; file: { name: string; type: keyof Content & string; text: string } }
    : never
}[keyof Responses & Success]

/** What operations work with; built once, in `app.ts`. */
export interface Services {
  db: Db
  meter: Meter
  clock: Clock
  secrets: SecretBox
  isAllowedAddress: AddressGuard
  topupUrl: string
  /** The cells of the installation, and where each is served. */
  cellHosts: readonly CellHost[]
}

/** A request that the contract accepts, and its sender. */
export interface Call<Id extends OperationId> extends Input<operations[Id]> {
  /** Absent on public operations only. */
  caller: Id extends 'getHealth' ? undefined : Caller
  /**
   * Takes the request's unit and sets the rate-limit headers: last, when nothing can fail any more.
   * @throws ApiError quota_exceeded
   */
  reserve: () => Promise<void>
  /**
   * The same for writes: first, in the transaction of the write, where a rollback returns the unit.
   * @throws ApiError quota_exceeded
   */
  reserveIn: (trx: Trx) => Promise<void>
  /** Overrides the rate-limit headers with a reading that is newer than the one made with the credentials. */
  setRateLimit: (rateLimit: RateLimit) => void
}

type Result<Id extends OperationId> = Id extends ListOperationId ? ListQuery : Answer<operations[Id]>

export type Operation<Id extends OperationId> = (call: Call<Id>, services: Services) => Promise<Result<Id>>

export type Operations = { [Id in OperationId]: Operation<Id> }
