import { matches } from './hmac.web.ts'
import type { Claim } from './pipeline.ts'
import { suspects } from './suspects.ts'

/** The first suspect that fits, as a hint. */
export async function findCause(claim: Claim): Promise<string | undefined> {
  let hint
  for (const [data, secret, cause] of suspects(claim))
    if (await matches(data, secret, claim.signature)) hint ??= cause
  return hint
}
