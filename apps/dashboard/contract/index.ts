import type { DashboardErrorCode } from '../../server/src/http/dashboard/errors.ts'
import type { BodyOf, Sent } from '../../server/src/http/dashboard/form.ts'
import type * as operations from '../../server/src/http/dashboard/operations/index.ts'

// What the pages may ask of the server, and what it answers: the types of its operations, and nothing that runs.

type Operations = typeof operations
type Forms = { [Id in keyof Operations as Operations[Id]['route']]: Operations[Id]['form'] }

export type { Schemas } from '../../server/src/http/dashboard/schemas/index.ts'

/** A method with a path below `/dashboard/api`. */
export type Route = keyof Forms

export type Asked<Address extends Route> = Sent<Forms[Address], Address>

export type Answered<Address extends Route> = BodyOf<Forms[Address]>

export interface ErrorBody {
  error: DashboardErrorCode
  /** A sentence for people: what to do next. */
  message: string
  /** The HTTP status again. */
  status: number
}
