import { dataOf } from './body.ts'
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

/** What a request claims: that one of the secrets signed the data so (64 hex digits). */
export interface Claim {
  data: WebhookData
  signature: string
  secrets: string[]
}

/**
 * A check has a claim to be looked into, and goes on with the place of the secret that signed. So one text of it serves
 * Web Crypto, which answers later, and node:crypto, which answers at once.
 */
export interface Check<Result> {
  claim: Claim
  finish: (secretIndex: number) => Result
}

/** Finds which secret signed. */
export function checkSignature(
  body: WebhookData,
  headers: WebhookHeaders,
  options: SecretOptions,
): Check<number> {
  return { claim: readClaim(body, headers, options), finish: (secretIndex) => secretIndex }
}

function readClaim(body: WebhookData, headers: WebhookHeaders, options: SecretOptions): Claim {
  const secrets = readSecrets(options)
  // First what a stranger lacks: nobody has to be told how to mend a request that is not from Ratecard.
  const signature = readSignature(headers)
  const data = dataOf(body)
  // A lone surrogate has no UTF-8: such a text is not what was sent.
  if (typeof data === 'string' && !data.isWellFormed()) refuse('signature_mismatch')
  return { data, signature, secrets }
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
  const claim = readClaim(body, headers, options)
  const { toleranceSeconds = 300, now = Date.now } = options
  const nowMs = +now()
  if (!(toleranceSeconds >= 0 && nowMs >= 0)) throw new TypeError('Bad toleranceSeconds or now()')
  return {
    claim,
    finish(secretIndex) {
      const { event, sentAtMs } = readAlert(body)
      const age = (nowMs - sentAtMs) / 1e3
      if (Math.abs(age) > toleranceSeconds) refuse(age > 0 ? 'timestamp_too_old' : 'timestamp_too_new')
      return { event, secretIndex }
    },
  }
}

/**
 * Names a delivery for `seen`: made of the ids of its changes, so it is the same on every attempt, whose timestamps
 * and signatures differ. Up to some kilobytes for 100 changes; hash it where your store wants short keys.
 */
export function replayKey(event: RatecardWebhookEvent): string {
  return JSON.stringify(event.changes.map((change) => change.id))
}
