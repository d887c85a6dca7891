import type { RequestHandler } from 'express'
import type { Contract } from '../../platform/contract.ts'
import { UserError } from '../../platform/user-error.ts'
import { createAnswerCheck, type AnswerCheck } from './answer-check.ts'
import { createValidator, warmUp } from './validator.ts'

/** A contract, with the checks of requests and answers against it. */
export interface CompiledContract<Id extends string> {
  contract: Contract<Id>
  validator: RequestHandler
  checkAnswer: AnswerCheck<Id>
}

/**
 * Compiles the answers of all operations, and the requests of those that are to be ready at once: each of the others
 * takes some 10 ms at its first request.
 * @throws UserError when the contract does not load
 */
export async function compileContract<Id extends string>(
  contract: Contract<Id>,
  readyAtOnce: Contract<Id>['operations'],
): Promise<CompiledContract<Id>> {
  try {
    const validator = createValidator(contract)
    await warmUp(validator, readyAtOnce)
    return { contract, validator, checkAnswer: createAnswerCheck(contract) }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : JSON.stringify(cause)
    throw new UserError(`The contract does not load: ${reason}`, { cause })
  }
}
