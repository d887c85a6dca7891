import { alertText } from '@ratecard/contract/alert'
import type { AttemptInput } from '../features/webhooks/attempt-store.ts'
import { nextDelayMs, type RetryPolicy } from '../features/webhooks/retry-policy.ts'
import type { SecretBox } from '../features/webhooks/secret-box.ts'
import { sendWebhook, type SendOptions, type SendResult } from '../features/webhooks/send-webhook.ts'
import type { Clock } from '../platform/clock.ts'
import type { Logger } from '../platform/logger.ts'
import type { Span } from '../platform/tracing.ts'
import type { JobOutcome } from './record-outcomes.ts'
import type { Attempt } from './slots.ts'

export interface AttemptOptions extends SendOptions {
  secrets: SecretBox
  retry: RetryPolicy
  clock: Clock
  logger: Logger
  onUnreadableSecret?: () => void
  onAttempt?: (attempt: {
    errorClass: string | null
    durationSeconds: number
    secondsToFirst: number | null
  }) => void
}

export interface SentAttempt {
  outcome: JobOutcome
  /** In time, whatever the answer was. */
  answered: boolean
}

/** Signs and sends; null: its secret cannot be opened, and nothing was sent. */
export async function sendAttempt(
  attempt: Attempt,
  options: AttemptOptions,
  span: Span | null = null,
): Promise<SentAttempt | null> {
  const { input, changesJson } = attempt
  const { clock, logger, onAttempt } = options
  const now = clock.now()
  const number = input.attempts + 1
  const secret = openSecret(input, options, { of: input.secret_ciphertext, under: input.secret_key_id })
  if (secret === null || input.url === null) {
    span?.fail('secret_unreadable')
    return null
  }
  // Its own signature is the one that must be there: a coming secret that cannot be opened holds nothing up.
  const coming = { of: input.next_secret_ciphertext, under: input.next_secret_key_id }
  const request = {
    url: input.url,
    secret,
    nextSecret: input.standard_headers ? openSecret(input, options, coming) : null,
    body: Buffer.from(alertText(input.event, changesJson, now)),
    deliveryId: input.delivery_id,
    attempt: number,
    at: now,
    hasStandardHeaders: input.standard_headers,
  }
  const result = await sendWebhook(request, options)
  logger.info(
    {
      delivery: input.delivery_id,
      webhook_id: input.webhook_id,
      account_id: input.account_id,
      attempt: number,
      status: result.status,
      error_class: result.errorClass,
      duration_ms: result.durationMs,
    },
    'delivery attempt',
  )
  span?.set({ 'http.request.method': 'POST', 'http.response.status_code': result.status })
  if (result.errorClass !== null) span?.fail(result.errorClass)
  onAttempt?.({
    errorClass: result.errorClass,
    durationSeconds: result.durationMs / 1_000,
    secondsToFirst: number === 1 ? (now.getTime() - input.created_at_ms) / 1_000 : null,
  })
  return {
    outcome: classifyOutcome(attempt, { number, startedAt: now, result }, options),
    answered: result.errorClass !== 'timeout',
  }
}

function classifyOutcome(
  { queueName, job, input }: Attempt,
  { number, startedAt, result }: { number: number; startedAt: Date; result: SendResult },
  { retry, clock }: AttemptOptions,
): JobOutcome {
  const end = {
    deliveryId: input.delivery_id,
    webhookId: input.webhook_id,
    attempt: number,
    startedAtMs: startedAt.getTime(),
    result,
    nextDelayMs: null,
  }
  if (result.errorClass === null) return { queueName, job, end: { ...end, state: 'delivered' }, next: null }
  const timedOut = result.errorClass === 'timeout'
  const delayMs = nextDelayMs(retry, {
    attempt: number,
    outcome: { status: result.status, timedOut, retryAfter: result.retryAfter },
    now: clock.now(),
    random: Math.random(),
  })
  // 410 switches the subscription off: there is nothing to try again.
  if (delayMs === null || result.status === 410)
    return { queueName, job, end: { ...end, state: 'exhausted' }, next: null }
  const data = { deliveryId: input.delivery_id, attempt: number + 1 }
  return {
    queueName,
    job,
    end: { ...end, state: 'pending', nextDelayMs: delayMs },
    next: {
      queueName: timedOut ? 'deliver-slow' : 'deliver',
      job: { data, group: input.webhook_id, delayMs },
    },
  }
}

function openSecret(
  input: AttemptInput,
  { secrets, logger, onUnreadableSecret }: AttemptOptions,
  { of: ciphertext, under: keyId }: { of: Buffer | null; under: string | null },
): string | null {
  if (!ciphertext || keyId === null) return null
  try {
    return secrets.open({ ciphertext, keyId }, { webhookId: input.webhook_id, accountId: input.account_id })
  } catch (error) {
    logger.error({ err: error, webhook_id: input.webhook_id }, 'a webhook secret cannot be opened')
    onUnreadableSecret?.()
    return null
  }
}
