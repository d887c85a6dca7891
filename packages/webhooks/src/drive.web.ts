import { readData } from './body.ts'
import { refuse } from './error.ts'
import { matches } from './hmac.web.ts'
import type { Check, Claim, Passed } from './pipeline.ts'
import { checkEvent, replayKey } from './pipeline.ts'
import type { VerifyOptions, WebhookBody, WebhookHeaders } from './types.ts'

/** Finds the hint that a mismatch is worth. */
export type FindCause = (claim: Claim) => Promise<string | undefined>

/**
 * Runs a check to its end, with Web Crypto.
 * @param findCause left out where every byte of code counts
 */
export async function drive<Result>(
  { claim, finish }: Check<Result>,
  findCause?: FindCause,
): Promise<Result> {
  // All are tried each time, so that the time does not tell which one fits.
  const { data, signature, secrets } = claim
  const fits = await Promise.all(secrets.map((secret) => matches(data, secret, signature)))
  const index = fits.lastIndexOf(true)
  return index >= 0 ? finish(index) : refuse('signature_mismatch', await findCause?.(claim))
}

/** A whole verification. */
export async function open(
  body: WebhookBody,
  headers: WebhookHeaders,
  options: VerifyOptions,
  findCause?: FindCause,
): Promise<Passed> {
  const passed = await drive(checkEvent(await readData(body, options), headers, options), findCause)
  if (await options.seen?.(replayKey(passed.event), passed.event)) refuse('replayed')
  return passed
}
