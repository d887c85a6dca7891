import { z } from 'zod'
import type { SendableResult } from '../pipeline/send-result.ts'
import type { DashboardErrorCode } from './errors.ts'
import { Done } from './schemas/common.ts'

/** A method, and a path below `/dashboard/api`: `POST /keys/{id}/rotate`. In braces are ids. */
export type Route = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`

/** What an operation is asked and answers. Any other request is refused, and any other answer is never sent. */
export interface Form {
  query?: z.ZodObject
  body?: z.ZodType
  200?: z.ZodType | 'file'
  201?: z.ZodType
  202?: z.ZodType
  /** Its own: not those of its access, of any form that is wrong, or of a server that is busy or fails. Tests hold them. */
  errors?: readonly DashboardErrorCode[]
  /** Whose signature counts, in place of a session. */
  signedBy?: 'stripe'
}

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

/** What a request brings along. Defaults are filled in. */
export interface Asked<Wanted extends Form, Address extends string> {
  path: Record<NamesIn<Address>, string>
  query: Wanted extends { query: infer Query extends z.ZodType } ? z.output<Query> : never
  body: Wanted extends { body: infer Body extends z.ZodType } ? z.output<Body> : never
}

type Optional<Value, Name extends string> = object extends Value
  ? { [N in Name]?: Value }
  : { [N in Name]: Value }

/** The same as it is sent: what has a default may be left out. */
export type Sent<Wanted extends Form, Address extends string> = ([NamesIn<Address>] extends [never]
  ? object
  : { path: Record<NamesIn<Address>, string> }) &
  (Wanted extends { query: infer Query extends z.ZodType } ? Optional<z.input<Query>, 'query'> : object) &
  (Wanted extends { body: infer Body extends z.ZodType } ? { body: z.input<Body> } : object)

type Success = 200 | 201 | 202

/** What an operation returns: the status, and `data` around most bodies, are the form's. */
export type Answer<Wanted extends Form> = {
  [Status in keyof Wanted & Success]: Wanted[Status] extends z.ZodType
    ? Returned<Wanted[Status]>
    : NonNullable<SendableResult['file']>
}[keyof Wanted & Success]

type Returned<Body extends z.ZodType> = Body extends typeof Done
  ? unknown
  : Body extends z.ZodObject<infer Shape>
    ? keyof Shape extends 'data'
      ? z.input<Shape['data']>
      : z.input<Body>
    : z.input<Body>

/** The answer to a request, of what its operation returned. */
export function toResult(form: Form, returned: unknown): SendableResult {
  const status = ([200, 201, 202] as const).find((one) => form[one] !== undefined)!
  const schema = form[status]
  if (schema === 'file') return { status, file: returned as NonNullable<SendableResult['file']> }
  if (schema === Done) return { status, body: { success: true } }
  const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return { status, body: fields.join() === 'data' ? { data: returned } : returned }
}

/** What a client has of the answer. */
export type BodyOf<Wanted extends Form> = {
  [Status in keyof Wanted & Success]: Wanted[Status] extends z.ZodType ? z.input<Wanted[Status]> : Blob
}[keyof Wanted & Success]

/** The body of most answers. */
export function data<Schema extends z.ZodType>(schema: Schema) {
  return z.strictObject({ data: schema })
}
