import type { Contract } from '../../platform/contract.ts'
import { contractCheck, type ContractCheck } from '../../platform/contract-schemas.ts'

/** Says what is wrong with the JSON of an answer by the contract, or null. */
export type AnswerCheck<Id extends string> = (id: Id, status: number, body: unknown) => string | null

/** @throws Error when an answer of the contract does not compile */
export function createAnswerCheck<Id extends string>({
  document,
  operations,
}: Contract<Id>): AnswerCheck<Id> {
  const checks = new Map<string, ContractCheck>()
  for (const { id, path, method: name } of operations) {
    const method = name.toLowerCase()
    for (const [status, { content }] of Object.entries(document.paths[path]?.[method]?.responses ?? {})) {
      if (!status.startsWith('2') || content?.['application/json'] === undefined) continue
      const pointer = ['paths', path, method, 'responses', status, 'content', 'application/json', 'schema']
      checks.set(`${id} ${status}`, contractCheck(document, pointer))
    }
  }
  return (id, status, body) => {
    const check = checks.get(`${id} ${status}`)
    return check ? check(body) : 'it has no such answer'
  }
}

/** @throws Error for an answer that is not as the contract says: it is never sent */
export function requireRightAnswer<Id extends string>(
  check: AnswerCheck<Id>,
  id: Id,
  status: number,
  body: unknown,
): void {
  const complaint = check(id, status, body)
  if (complaint === null) return
  throw new Error(`The answer ${status} of ${id} is not as the contract says: ${complaint}`)
}
