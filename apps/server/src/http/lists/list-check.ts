import type { ValidateFunction } from 'ajv'
import type { Change, Price } from '@ratecard/contract'
import type { Contract } from '../../platform/contract.ts'
import { contractSchemas } from '../../platform/contract-schemas.ts'
import { createRowCheck, type RowCheck } from '../../platform/row-check.ts'
import { listOperations, type ListOperationId } from './list-query.ts'

/** A row that is not as the contract says. */
export interface BadRow {
  id: string
  updated_at: string
  /** It is left out: it cannot be shown without what is wrong. */
  isLeftOut: boolean
  complaints: string[]
}

export interface CheckedList {
  body: string
  badRows: BadRow[]
}

/**
 * Holds what lists answer against the contract; the validator does so with what passes `res.json`. A row that is not as
 * it says is mended or left out: one row must not cost a client the other 499.
 * @throws Error when the list is wrong in another way
 */
export type ListCheck = (operation: ListOperationId, body: string) => CheckedList

type Row = Price | Change
interface ListBody {
  data: Row[]
}

/**
 * What holds the answer of one operation against its contract.
 * @throws Error when the contract has another body for its 200
 */
export function createAnswerCheck<Id extends string>(
  { document, operations }: Contract<Id>,
  id: Id,
): (body: unknown) => void {
  const operation = operations.find((one) => one.id === id)
  const check = operation && contractSchemas(document)(placeOfAnswer(operation))
  return (body) => {
    if (!check?.(body))
      throw new Error(`The answer of ${id} is not as the contract says: ${complaintsOf(check)}`)
  }
}

function placeOfAnswer({ path, method }: { path: string; method: string }): string[] {
  return ['paths', path, method.toLowerCase(), 'responses', '200', 'content', 'application/json', 'schema']
}

function complaintsOf(check: ValidateFunction | undefined): string {
  return (check?.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join(', ')
}

export function createListCheck({ document, operations }: Contract): ListCheck {
  const schemaOf = contractSchemas(document)
  const checks = new Map<string, ValidateFunction>()
  for (const operation of operations) {
    if (Object.hasOwn(listOperations, operation.id))
      checks.set(operation.id, schemaOf(placeOfAnswer(operation)))
  }
  // Compiled when the first bad row is met.
  let rows: RowCheck | null = null
  return (operation, body) => {
    const check = checks.get(operation)
    const list = JSON.parse(body) as ListBody
    if (check?.(list)) return { body, badRows: [] }

    rows ??= createRowCheck(document)
    const mended = mendRows(rows, listOperations[operation], list.data)
    const mendedList = { ...list, data: mended.rows }
    if (!check?.(mendedList)) {
      throw new Error(`The list of ${operation} is not as the contract says: ${complaintsOf(check)}`)
    }
    return { body: JSON.stringify(mendedList), badRows: mended.badRows }
  }
}

function mendRows(
  check: RowCheck,
  name: 'Price' | 'Change',
  data: readonly Row[],
): { rows: Row[]; badRows: BadRow[] } {
  const badRows: BadRow[] = []
  const rows = data.flatMap((stored) => {
    const { row, complaints } = check.mend(name, stored)
    const id = 'resource_id' in stored ? stored.resource_id : stored.id
    const { updated_at } = stored
    if (complaints.length > 0) badRows.push({ id, updated_at, isLeftOut: row === null, complaints })
    return row === null ? [] : [row]
  })
  return { rows, badRows }
}
