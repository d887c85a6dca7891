import { matches } from './hmac.web.ts'
import type { SignatureInput } from './pipeline.ts'
import { suspects } from './suspects.ts'

/** The hint of the first suspect that matches. */
export async function findCause(input: SignatureInput): Promise<string | undefined> {
  let hint
  for (const [data, secret, cause] of suspects(input))
    if (await matches(data, secret, input.signature)) hint ??= cause
  return hint
}
