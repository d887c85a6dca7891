import type { Change, Price } from '@ratecard/contract'
import type { Contract } from '../platform/contract.ts'
import { createRowCheck, type RowCheck } from '../platform/row-check.ts'
import { requireRightAnswer, type AnswerCheck } from './contract/answer-check.ts'
import type { ListOperationId } from './operation.ts'

/** A row that is not as the contract says. */
export interface BadRow {
  id: string
  updated_at: string
  /** It is left out: it cannot be shown without what is wrong. */
  isLeftOut: boolean
  complaints: string[]
}

export interface CheckedPage {
  body: string
  badRows: BadRow[]
}

/**
 * Holds what lists answer against the contract; `answer-check.ts` does so with all else. A row that is not as
 * it says is mended or left out: one row must not cost anybody the other 499.
 * @throws Error when the page is wrong in another way
 */
export type PageCheck = (operation: ListOperationId, body: string) => CheckedPage

type Row = Price | Change
interface PageBody {
  data: Row[]
}

const rowNames = { listPrices: 'Price', listChanges: 'Change' } as const

export function createPageCheck(
  { document }: Contract,
  checkAnswer: AnswerCheck<ListOperationId>,
): PageCheck {
  // Compiled when the first bad row is met.
  let rows: RowCheck | null = null
  return (operation, body) => {
    const page = JSON.parse(body) as PageBody
    if (checkAnswer(operation, 200, page) === null) return { body, badRows: [] }

    rows ??= createRowCheck(document)
    const mended = mendRows(rows, rowNames[operation], page.data)
    const mendedPage = { ...page, data: mended.rows }
    requireRightAnswer(checkAnswer, operation, 200, mendedPage)
    return { body: JSON.stringify(mendedPage), badRows: mended.badRows }
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
