import { readData } from './body.ts'
import { refuse } from './error.ts'
import { matches } from './hmac.web.ts'
import { checkEvent, replayKey, type Check, type SignatureInput, type Passed } from './pipeline.ts'
import type { VerifyOptions, WebhookBody, WebhookHeaders } from './types.ts'

export type FindCause = (input: SignatureInput) => Promise<string | undefined>

/**
 * Runs a check to its end, with Web Crypto.
 * @param findCause left out where the size of the code matters
 */
export async function drive<Result>(
  { input, finish }: Check<Result>,
  findCause?: FindCause,
): Promise<Result> {
  // Every secret is tried each time: the time must not reveal which one matches.
  const { data, signature, secrets } = input
  const fits = await Promise.all(secrets.map((secret) => matches(data, secret, signature)))
  const index = fits.lastIndexOf(true)
  return index >= 0 ? finish(index) : refuse('signature_mismatch', await findCause?.(input))
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
