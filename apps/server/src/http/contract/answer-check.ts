import type { Contract } from '../../platform/contract.ts'
import { contractCheck, type ContractCheck } from '../../platform/contract-schemas.ts'
import { UserError } from '../../platform/user-error.ts'

/** Says what is wrong with the JSON of an answer by the contract, or null. */
export type AnswerCheck<Id extends string> = (id: Id, status: number, body: unknown) => string | null

/** @throws UserError when an answer of the contract does not compile */
export function createAnswerCheck<Id extends string>({
  document,
  operations,
}: Contract<Id>): AnswerCheck<Id> {
  const checks = new Map<string, ContractCheck>()
  for (const { id, path, method } of operations) {
    const { responses } = document.paths[path]?.[method.toLowerCase()] ?? {}
    for (const [status, { content }] of Object.entries(responses ?? {})) {
      if (!status.startsWith('2') || content?.['application/json'] === undefined) continue
      const place = ['paths', path, method.toLowerCase(), 'responses', status]
      try {
        checks.set(
          `${id} ${status}`,
          contractCheck(document, [...place, 'content', 'application/json', 'schema']),
        )
      } catch (cause) {
        throw new UserError(`The contract does not load: ${(cause as Error).message}`, { cause })
      }
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
