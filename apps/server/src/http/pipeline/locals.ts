import type { Caller } from '../../features/entitlements/caller-store.ts'
import type { Person } from '../dashboard/member.ts'
import type { ContractOperation } from '../../platform/contract.ts'

// What the steps of a request pass on to the next, in `res.locals`.
declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- how Express's types are extended
  namespace Express {
    interface Locals {
      requestId: string
      /** The request's target as it was sent. */
      target: string
      /** Absent while the path is not one of the contract's. */
      operation: ContractOperation
      /** Path parameters, encoded. */
      rawPath: Record<string, string>
      /** Path parameters, decoded. */
      path: Record<string, string>
      caller?: Caller
      /** SHA-256 of a key that is spelled right and refused, in hex. */
      refusedKeyHash?: string
      /** The code in the answer, when it is an error. */
      errorCode?: string
      /** The user who is signed in to the dashboard. */
      member?: Person
      /** Query parameters; the validator puts defaults and numbers into them. */
      query: Record<string, unknown>
      /** The largest body that is read, where it is not that of all operations. */
      bodyBytesMax?: number
      /** The body as it was sent, of the requests that may have one. */
      rawBody?: Buffer
      /** Lets the request leave its gate. Absent while it is in none. */
      leaveGate?: (() => void) | undefined
    }
  }
}
