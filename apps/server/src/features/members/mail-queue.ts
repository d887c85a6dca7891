import type { Db } from '../../database/connect.ts'
import type { MailRequest } from '../../queue/job-types.ts'
import type { Queue } from '../../queue/queue.ts'

/** The queue of mails to send. */
export type MailQueue = Pick<Queue, 'enqueue'>

/**
 * Requests a mail, in the transaction of its cause where there is one. While the same mail waits, it is not added
 * again: the queue is no longer than the number of mailboxes in it.
 */
export async function requestMail(
  db: Db,
  queue: MailQueue,
  request: MailRequest,
  {
    now,
    failures = 0,
    askedAt,
    delayMs,
  }: { now: Date; failures?: number; askedAt?: string; delayMs?: number },
): Promise<void> {
  const key = buildMailKey(request)
  const data = { ...request, askedAt: askedAt ?? now.toISOString(), failures }
  await queue.enqueue(db, 'mail', [{ data, key, group: key, ...(delayMs !== undefined && { delayMs }) }])
}

function buildMailKey(request: MailRequest): string {
  if (request.kind === 'invitation') return request.invitationId
  if (request.kind === 'own-change') return `${request.change} ${request.email}`
  if (request.kind === 'follow') return request.followerId
  if (request.kind === 'followed') return `followed ${request.email} ${request.to}`
  return `${request.kind} ${request.kind === 'notices' ? request.userId : request.email}`
}
