import type { AnyOperation } from './operation.ts'
import * as operations from './operations/index.ts'

/** What the pages may ask of the server. */
export type OperationId = keyof typeof operations

export const definitions: Record<OperationId, AnyOperation> = operations

/** What is defined for an operation that was found by its path. */
export function findDefinition({ id }: { id: string }): AnyOperation {
  return definitions[id as OperationId]
}
