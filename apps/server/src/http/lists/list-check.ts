import { hash } from 'node:crypto'
import type { Change, Pagination, Price } from '@ratecard/contract'
import type { ListText } from '../../database/list-text.ts'
import type { Contract } from '../../platform/contract.ts'
import { encodeCursor, type Cursor } from '../../platform/cursor.ts'
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
 * or left out: one row must not cost a client the other 499. Rows that were right once are not parsed again.
 * @throws Error when the list is wrong in another way
 */
export type ListCheck = (operation: ListOperationId, list: ListText) => CheckedList

type Row = Price | Change
interface ListBody {
  data: Row[]
}

export function createListCheck(
  { document }: Contract,
  checkAnswer: AnswerCheck<ListOperationId>,
): ListCheck {
  // Compiled when the first bad row is met.
  let check: RowCheck | null = null
  const right = { listPrices: new Set<string>(), listChanges: new Set<string>() }
  return (operation, { rows, next }) => {
    const body = listBody(rows, next)
    const known = right[operation]
    const fresh = new Map<string, string>()
    for (const row of rows) {
      const digest = hash('sha256', row, 'base64url')
      if (!known.has(digest)) fresh.set(digest, row)
    }
    const unseen = JSON.parse(listBody([...fresh.values()], next)) as ListBody
    if (checkAnswer(operation, 200, unseen) === null) {
      if (known.size > rightMax) known.clear()
      for (const digest of fresh.keys()) known.add(digest)
      return { body, badRows: [] }
    }

    check ??= createRowCheck(document)
    const list = JSON.parse(body) as ListBody
    const mended = mendRows(check, listOperations[operation], list.data)
    const mendedList = { ...list, data: mended.rows }
    requireRightAnswer(checkAnswer, operation, 200, mendedList)
    return { body: JSON.stringify(mendedList), badRows: mended.badRows }
  }
}

/** Some 8 MB. */
const rightMax = 60_000

function listBody(rows: readonly string[], next: Cursor | null): string {
  const pagination: Pagination | null = next && { next_cursor: encodeCursor(next) }
  const tail = pagination ? `,"pagination":${JSON.stringify(pagination)}` : ''
  return `{"schema_version":1,"data":[${rows.join(',')}]${tail}}`
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
