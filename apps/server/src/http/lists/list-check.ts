import type { Change, Price } from '@ratecard/contract'
import type { Contract } from '../../platform/contract.ts'
import { createRowCheck, type RowCheck } from '../../platform/row-check.ts'
import { requireRightAnswer, type AnswerCheck } from '../contract/answer-check.ts'
import { listOperations, type ListOperationId } from './list-query.ts'

/** A row that is not as the contract says. */
export interface BadRow {
  id: string
  updated_at: string
  /** It is left out: it cannot be shown without what is wrong. */
  isLeftOut: boolean
  complaints: string[]
}

interface CheckedList {
  body: string
  badRows: BadRow[]
}

/**
 * Checks lists against the contract; `answer-check.ts` checks all other answers. A row that does not match it is mended
 * or left out: one row must not cost a client the other 499.
 * @throws Error when the list is wrong in another way
 */
export type ListCheck = (operation: ListOperationId, body: string) => CheckedList

type Row = Price | Change
interface ListBody {
  data: Row[]
}

export function createListCheck(
  { document }: Contract,
  checkAnswer: AnswerCheck<ListOperationId>,
): ListCheck {
  // Compiled when the first bad row is met.
  let rows: RowCheck | null = null
  return (operation, body) => {
    const list = JSON.parse(body) as ListBody
    if (checkAnswer(operation, 200, list) === null) return { body, badRows: [] }

    rows ??= createRowCheck(document)
    const mended = mendRows(rows, listOperations[operation], list.data)
    const mendedList = { ...list, data: mended.rows }
    requireRightAnswer(checkAnswer, operation, 200, mendedList)
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
