import type { ValidateFunction } from 'ajv'
import type { Change, Price } from '@ratecard/contract'
import type { Contract } from '../platform/contract.ts'
import { contractSchemas } from '../platform/contract-schemas.ts'
import { createRowCheck, type RowCheck } from '../platform/row-check.ts'
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
 * Holds what lists answer against the contract; the validator does so with what passes `res.json`. A row that is not as
 * it says is mended or left out: one row must not cost anybody the other 499.
 * @throws Error when the page is wrong in another way
 */
export type PageCheck = (operation: ListOperationId, body: string) => CheckedPage

type Row = Price | Change
interface PageBody {
  data: Row[]
}

const rowNames = { listPrices: 'Price', listChanges: 'Change' } as const

export function createPageCheck({ document, operations }: Contract): PageCheck {
  const schemaOf = contractSchemas(document)
  const checks = new Map<string, ValidateFunction>()
  for (const { id, path, method } of operations) {
    if (!Object.hasOwn(rowNames, id)) continue
    const answer = ['paths', path, method.toLowerCase(), 'responses', '200']
    checks.set(id, schemaOf([...answer, 'content', 'application/json', 'schema']))
  }
  // Compiled when the first bad row is met.
  let rows: RowCheck | null = null
  return (operation, body) => {
    const check = checks.get(operation)
    const page = JSON.parse(body) as PageBody
    if (check?.(page)) return { body, badRows: [] }

    rows ??= createRowCheck(document)
    const mended = mendRows(rows, rowNames[operation], page.data)
    const mendedPage = { ...page, data: mended.rows }
    if (!check?.(mendedPage)) {
      const complaints = check?.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`)
      throw new Error(`The page of ${operation} is not as the contract says: ${complaints?.join(', ')}`)
    }
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
