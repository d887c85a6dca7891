import { dataOf } from './body.ts'
import { refuse } from './error.ts'
import { readAlert } from './payload.ts'
import { readSecrets } from './secrets.ts'
import { readSignature } from './signature-header.ts'
import type { ChangeAlert, FreshnessOptions, SecretOptions, WebhookData, WebhookHeaders } from './types.ts'

/** Is this the signature (64 hex digits) of the data under the secret? */
export type Question = [data: WebhookData, secret: string, signature: string]

/**
 * A check asks for each HMAC that it needs. So one text of it serves Web Crypto, which answers later, and
 * node:crypto, which answers at once.
 */
export type Check<Result> = Generator<Question, Result, boolean>

/** Guesses at what was signed instead, each with the hint that it is worth. */
export type Suspects = (data: WebhookData, secrets: string[]) => Iterable<[WebhookData, string, hint: string]>

/**
 * Finds which secret signed.
 * @param suspects for the hint of a mismatch; left out where every byte of code counts
 */
export function* checkSignature(
  body: WebhookData,
  headers: WebhookHeaders,
  options: SecretOptions,
  suspects?: Suspects,
): Check<number> {
  const secrets = readSecrets(options)
  const data = dataOf(body)
  const signature = readSignature(headers)
  // A lone surrogate has no UTF-8: such a text is not what was sent.
  if (typeof data === 'string' && !data.isWellFormed()) refuse('signature_mismatch')
  let index = -1
  // All are tried each time, so that the time does not tell which one fits.
  for (const [at, secret] of secrets.entries()) if (yield [data, secret, signature]) index = at
  if (index >= 0) return index
  let hint
  for (const [suspect, secret, cause] of suspects?.(data, secrets) ?? [])
    if (yield [suspect, secret, signature]) hint ??= cause
  return refuse('signature_mismatch', hint)
}

/** A delivery that passed. */
export interface Passed {
  event: ChangeAlert
  secretIndex: number
}

/** Signature, then content, then age. */
export function* checkEvent(
  body: WebhookData,
  headers: WebhookHeaders,
  options: SecretOptions & FreshnessOptions,
  suspects?: Suspects,
): Check<Passed> {
  const { toleranceSeconds = 300, now = Date.now } = options
  const nowMs = +now()
  if (!(toleranceSeconds >= 0 && nowMs >= 0)) throw new TypeError('Bad toleranceSeconds or now()')
  const secretIndex = yield* checkSignature(body, headers, options, suspects)
  const event = readAlert(body)
  const age = (nowMs - Date.parse(event.timestamp)) / 1e3
  if (Math.abs(age) > toleranceSeconds) refuse(age > 0 ? 'timestamp_too_old' : 'timestamp_too_new')
  return { event, secretIndex }
}

/**
 * Names a delivery for `seen`: made of the ids of its changes, so it is the same on every attempt, whose timestamps
 * and signatures differ. Up to some kilobytes for 100 changes; hash it where your store wants short keys.
 */
export function replayKey(event: ChangeAlert): string {
  return JSON.stringify(event.changes.map((change) => change.id))
}
