import { matches } from './hmac.web.ts'
import type { Question } from './pipeline.ts'
import { suspects } from './suspects.ts'

/** The first suspect that fits, as a hint. */
export async function findCause(asked: Question[]): Promise<string | undefined> {
  let hint
  for (const [suspect, cause] of suspects(asked)) if (await matches(suspect)) hint ??= cause
  return hint
}
