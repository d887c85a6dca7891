/** What each queue's jobs carry. */
export interface JobData {
  /** Send the next attempt of a delivery. Its group is the subscription. */
  deliver: { deliveryId: string; attempt: number }
  /** The same, for subscriptions whose last attempt timed out. */
  'deliver-slow': { deliveryId: string; attempt: number }
}

export type QueueName = keyof JobData

// A job is retried by the queue only when its worker died: failed attempts make new jobs, by our schedule.
const takenOverAtOnce = { retryLimit: 1_000, retryDelay: 0, retryBackoff: false }

export const queueOptions = {
  deliver: takenOverAtOnce,
  'deliver-slow': takenOverAtOnce,
} satisfies Record<QueueName, object>
