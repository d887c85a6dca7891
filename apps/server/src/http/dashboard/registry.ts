import type { OperationId } from '@ratecard/dashboard/contract'
import type { Operation, Operations } from './operation.ts'
import * as implemented from './operations/index.ts'

/** A missing, misspelled or wrongly answering operation does not compile. */
const operations: Operations = implemented

/** What is defined for an operation of the contract: who may call it, what it costs, and its work. */
export function findDefinition({ id }: { id: string }): Operation<OperationId> {
  return operations[id as OperationId] as Operation<OperationId>
}
