import type { Config } from '../platform/config.ts'

/** What each queue's jobs carry. */
export interface JobData {
  /** Send the next attempt of a delivery. Its group is the subscription. */
  deliver: { deliveryId: string; attempt: number }
  /** The same, for subscriptions whose last attempt timed out. */
  'deliver-slow': { deliveryId: string; attempt: number }
  /** Read a source, or apply the prices that begin today. Its key is the task: one is queued or under way at a time. */
  feed: { task: string }
  /** Mail a link or a notice. Its key is the recipient: one is queued or under way at a time. */
  mail: MailRequest & { askedAt: string; failures: number }
}

/** What is to be mailed. No link and no token: those are made when the mail is. */
export type MailRequest =
  | { kind: 'sign-up' | 'password-reset' | 'second-factor-reset'; email: string }
  | OwnChangeMailRequest
  | { kind: 'invitation'; invitationId: string }
  | ReviewMailRequest
  | NoticeMailRequest
  | FollowMailRequest

/** What a user has changed of what proves who they are. */
export type OwnChange =
  | 'password_changed'
  | `second_factor_${'added' | 'removed'}`
  | 'recovery_codes_renewed'
  | `passkey_${'added' | 'removed'}`

export interface OwnChangeMailRequest {
  kind: 'own-change'
  change: OwnChange
  email: string
}

/** What waits for an operator. */
export interface ReviewMailRequest {
  kind: 'review'
  email: string
}

/** The next notice that waits for a user. */
export interface NoticeMailRequest {
  kind: 'notices'
  userId: string
}

/** To who has no account: the question whether they want mails, or what changed in a time. */
export type FollowMailRequest =
  { kind: 'follow'; followerId: string } | { kind: 'followed'; email: string; from: string; to: string }

export type QueueName = keyof JobData

export const deliveryQueues = ['deliver', 'deliver-slow'] as const
export type DeliveryQueue = (typeof deliveryQueues)[number]

// A job is retried by the queue only when its worker died: failed attempts make new jobs, by our own schedule.
const takenOverAtOnce = { retryLimit: 1_000, retryDelay: 0, retryBackoff: false }

interface QueueOptions {
  retryLimit: number
  retryDelay: number
  retryBackoff: boolean
  /** A job whose worker has not been heard of for so long is taken over. */
  heartbeatSeconds?: number
  /** Longest a job may take; default: what the worker says. */
  expireInSeconds?: number
}

export const queueOptions: Record<QueueName, QueueOptions> = {
  deliver: takenOverAtOnce,
  'deliver-slow': takenOverAtOnce,
  // A run may wait minutes for a slow server; its heartbeat shows whether its worker lives.
  feed: { ...takenOverAtOnce, heartbeatSeconds: 30, expireInSeconds: 3_600 },
  // Each stage of speaking to a mail server has 10 s.
  mail: { ...takenOverAtOnce, expireInSeconds: 120 },
}

/** What cannot be changed once the queue exists. */
export const queuePolicies: Partial<Record<QueueName, string>> = { feed: 'exclusive', mail: 'exclusive' }

/** Beyond the time of attempts: to load what they need and to write how they ended. */
const jobMarginMs = 5_000

/** Seconds from fetching a job to its end: an attempt may wait for another to the same endpoint. */
export function computeJobTimeout({ WEBHOOK_TIMEOUT }: Pick<Config, 'WEBHOOK_TIMEOUT'>): number {
  return Math.ceil((2 * WEBHOOK_TIMEOUT + jobMarginMs) / 1_000)
}
