import { checkData } from './body.ts'
import { refuse } from './error.ts'
import { readAlert } from './payload.ts'
import { readSecrets } from './secrets.ts'
import { readSignature } from './signature-header.ts'
import type {
  RatecardWebhookEvent,
  FreshnessOptions,
  SecretOptions,
  WebhookData,
  WebhookHeaders,
} from './types.ts'

/** The input of a signature check: the data, its signature (64 hex digits) and the secrets that may have made it. */
export interface SignatureInput {
  data: WebhookData
  signature: string
  secrets: string[]
}

/**
 * A check of a signature and its continuation, which takes the index of the secret that signed. The same check serves
 * Web Crypto, which answers asynchronously, and node:crypto, which answers synchronously.
 */
export interface Check<Result> {
  input: SignatureInput
  finish: (secretIndex: number) => Result
}

/** Finds the secret that signed. */
export function checkSignature(
  body: WebhookData,
  headers: WebhookHeaders,
  options: SecretOptions,
): Check<number> {
  const secrets = readSecrets(options)
  // The signature comes first: a request that is not from Ratecard gets no advice on how to correct it.
  const signature = readSignature(headers)
  const data = checkData(body)
  // A lone surrogate has no UTF-8, so the sender cannot have sent this text.
  if (typeof data === 'string' && !data.isWellFormed()) refuse('signature_mismatch')
  return { input: { data, signature, secrets }, finish: (secretIndex) => secretIndex }
}

/** A delivery that passed. */
export interface Passed {
  event: RatecardWebhookEvent
  secretIndex: number
}

/** Signature, then content, then age. */
export function checkEvent(
  body: WebhookData,
  headers: WebhookHeaders,
  options: SecretOptions & FreshnessOptions,
): Check<Passed> {
  const { input } = checkSignature(body, headers, options)
  const { toleranceSeconds = 300, now = Date.now } = options
  const nowMs = +now()
  if (!(toleranceSeconds >= 0 && nowMs >= 0)) throw new TypeError('Bad toleranceSeconds or now()')
  return {
    input,
    finish(secretIndex) {
      const { event, sentAtMs } = readAlert(body)
      const age = (nowMs - sentAtMs) / 1e3
      if (Math.abs(age) > toleranceSeconds) refuse(age > 0 ? 'timestamp_too_old' : 'timestamp_too_new')
      return { event, secretIndex }
    },
  }
}

/**
 * The key of a delivery for `seen`. It is made of the ids of its changes, so it is the same on every attempt, whose
 * timestamps and signatures differ. Up to some kilobytes for 100 changes; hash it where your database wants short keys.
 */
export function replayKey(event: RatecardWebhookEvent): string {
  return JSON.stringify(event.changes.map((change) => change.id))
}
