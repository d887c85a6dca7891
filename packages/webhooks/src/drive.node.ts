import { matches } from './hmac.node.ts'
import type { Check } from './pipeline.ts'

/** Runs a check to its end, at once. */
export function driveSync<Result>(check: Check<Result>): Result {
  let step = check.next()
  while (!step.done) step = check.next(matches(step.value))
  return step.value
}
