import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import type { OperationId } from '@ratecard/contract'
import type { Contract } from '../platform/contract.ts'

// The packages are CommonJS; their types and Node see the function under different names.
const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void

/** @throws Error when the contract has another body for the operation's 200 */
export type PageCheck<Id = OperationId> = (operation: Id, body: unknown) => void

/** Holds what lists answer against the contract; the validator does so with what passes `res.json`. */
export function createPageCheck<Id extends string>(
  { document, operations }: Contract<Id>,
  lists: readonly Id[],
): PageCheck<Id> {
  const ajv = new Ajv2020({ strict: false })
  addFormats(ajv)
  ajv.addSchema(document, 'contract')
  const checks = new Map<Id, ValidateFunction>()
  for (const { id, path, method } of operations.filter(({ id }) => lists.includes(id))) {
    const place = encodeURIComponent(path.replaceAll('/', '~1'))
    const check = ajv.getSchema(
      `contract#/paths/${place}/${method.toLowerCase()}/responses/200/content/application~1json/schema`,
    )
    if (!check) throw new Error(`The contract has no body of ${id}.`)
    checks.set(id, check as ValidateFunction)
  }
  return (operation, body) => {
    const check = checks.get(operation)
    if (check?.(body) !== true)
      throw new Error(
        `The page of ${operation} is not as the contract says: ${ajv.errorsText(check?.errors)}`,
      )
  }
}
