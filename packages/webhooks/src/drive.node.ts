import { refuse } from './error.ts'
import { matches } from './hmac.node.ts'
import type { Check } from './pipeline.ts'
import { suspects } from './suspects.ts'

/** Runs a check to its end, at once. */
export function driveSync<Result>({ asked, finish }: Check<Result>): Result {
  // All are tried each time, so that the time does not tell which one fits.
  const index = asked.map(matches).lastIndexOf(true)
  if (index >= 0) return finish(index)
  let hint
  for (const [suspect, cause] of suspects(asked)) if (matches(suspect)) hint ??= cause
  return refuse('signature_mismatch', hint)
}
