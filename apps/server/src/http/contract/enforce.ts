import type { RequestHandler } from 'express'
import type { Contract } from '../../platform/contract.ts'
import { UserError } from '../../platform/user-error.ts'
import { createAnswerCheck, type AnswerCheck } from './answer-check.ts'
import { createValidator, warmUp } from './validator.ts'

/** A contract, and what holds requests and answers against it. */
export interface Enforcement<Id extends string> {
  contract: Contract<Id>
  validator: RequestHandler
  checkAnswer: AnswerCheck<Id>
}

/**
 * Everything is compiled here, so that no request waits for it.
 * @throws UserError when the contract does not load
 */
export async function enforce<Id extends string>(contract: Contract<Id>): Promise<Enforcement<Id>> {
  try {
    const validator = createValidator(contract)
    await warmUp(validator, contract)
    return { contract, validator, checkAnswer: createAnswerCheck(contract) }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : JSON.stringify(cause)
    throw new UserError(`The contract does not load: ${reason}`, { cause })
  }
}
