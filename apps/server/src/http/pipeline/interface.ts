import express, { type RequestHandler, type Router } from 'express'
import { answerError, type AnswerErrorOptions } from './answer-error.ts'
import type { CompiledContract } from '../contract/compile.ts'
import { parseBody, readBody } from './read-body.ts'
import { readInput } from './read-input.ts'
import { findOperation } from './route.ts'
import type { Gate } from './shed.ts'

export interface InterfaceOptions<Id extends string> extends CompiledContract<Id>, AnswerErrorOptions {
  /** Entered by one of `admit`, and again when a body is read. */
  gate: Gate
  /** Lets a request in, before any input is read. */
  admit: readonly RequestHandler[]
  /** Finds the caller and checks their rights, when the body has come: a client may take long to send it. */
  identify: readonly RequestHandler[]
  /** What follows when the input is as the contract says: the last of them answers. */
  run: readonly RequestHandler[]
}

/** The path of a request through an interface with a contract, top to bottom: the API, or the dashboard. */
export function createInterface<Id extends string>(options: InterfaceOptions<Id>): Router {
  const { contract, validator, gate, admit, identify, run } = options
  const router = express.Router()
  router.use(findOperation(contract))
  router.use(...admit)
  router.use(readInput)
  router.use(readBody(gate))
  // An empty list would be no handler.
  if (identify.length > 0) router.use(...identify)
  router.use(parseBody)
  router.use(validator)
  router.use(...run)
  router.use(answerError(options))
  return router
}
