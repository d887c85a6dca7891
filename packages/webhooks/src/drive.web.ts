import { matches } from './hmac.web.ts'
import type { Check } from './pipeline.ts'

/** Runs a check to its end, with Web Crypto. */
export async function drive<Result>(check: Check<Result>): Promise<Result> {
  let step = check.next()
  while (!step.done) step = check.next(await matches(step.value))
  return step.value
}
