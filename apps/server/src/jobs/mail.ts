import { logFailure, type Db } from '../database/connect.ts'
import { requestMail } from '../features/members/mail-queue.ts'
import { writeMail, type MailLinks, type WrittenMail } from '../features/members/write-mail.ts'
import { writeFollowMail } from '../features/notices/follow-mail.ts'
import { settleNotices } from '../features/notices/notice-store.ts'
import { writeNoticeMail, type NoticeMail, type NoticeMailOptions } from '../features/notices/write-mail.ts'
import { writeReviewMail } from '../ingest/review/review-mail.ts'
import type { Clock } from '../platform/clock.ts'
import type { MailOutcome } from '../platform/figures/deliveries.ts'
import type { Logger } from '../platform/logger.ts'
import { MailboxRefused, type Mail, type Mailer } from '../platform/mailer.ts'
import type { MailRequest } from '../queue/job-types.ts'
import type { FetchedJob, Queue } from '../queue/queue.ts'
import { startPolling, type Polling } from './poll.ts'

export interface MailJobOptions extends MailLinks {
  db: Db
  queue: Queue
  sendMail: Mailer
  notices: NoticeMailOptions
  clock: Clock
  logger: Logger
  onMail?: (outcome: MailOutcome) => void
}

const pollMs = 500
const atATimeMax = 10
const firstRetryMs = 10_000
const retryMsMax = 15 * 60_000
const giveUpAfterMs = 24 * 3_600_000

/** Sends what is queued, until stopped. While the mail server is away, mails wait for it. */
export function startMailing(options: MailJobOptions): Polling {
  return startPolling(async () => (await sendQueuedMails(options)) > 0, {
    pollMs,
    onError: (error) => logFailure(options.logger, error, 'mails wait'),
  })
}

/** Takes up what is due, and tries it once. @returns how many there were */
export async function sendQueuedMails(options: MailJobOptions): Promise<number> {
  const { queue } = options
  const jobs = await queue.fetch('mail', { jobsMax: atATimeMax, perGroupMax: 1, ignoreGroups: [] })
  const attempts = await Promise.allSettled(jobs.map((job) => attempt(options, job)))
  const failed = jobs.filter((_job, index) => attempts[index]?.status === 'rejected')
  if (failed.length > 0) await queue.release('mail', failed)
  for (const outcome of attempts) if (outcome.status === 'rejected') throw outcome.reason
  return jobs.length
}

/** @throws what the database says */
async function attempt(options: MailJobOptions, job: FetchedJob<'mail'>): Promise<void> {
  const { logger, clock } = options
  const { askedAt, failures, ...request } = job.data
  const written = await write(options, request, failures === 0)
  if (written.kind === 'none') return end(options, job, null)
  if (written.kind === 'later') return end(options, job, { delayMs: written.seconds * 1_000, failures })
  const failure = await options.sendMail(written.mail).then(
    () => null,
    (error: unknown) => error,
  )
  const told = 'told' in written ? written.told : null
  if (failure === null) {
    options.onMail?.('sent')
    return end(options, job, null, told)
  }

  const waitedMs = clock.now().getTime() - Date.parse(askedAt)
  const delayMs = Math.min(firstRetryMs * 2 ** failures, retryMsMax)
  const isFinal = failure instanceof MailboxRefused || waitedMs + delayMs > giveUpAfterMs
  options.onMail?.(isFinal ? 'given_up' : 'failed')
  const { to, subject } = written.mail
  const next = isFinal ? 'mail given up' : 'mail not sent: it is tried again'
  logger.error({ err: failure, to, subject, ...(!isFinal && { again_in_ms: delayMs }) }, next)
  if (!isFinal) return end(options, job, { delayMs, failures: failures + 1 })
  await end(options, job, null, told && { ...told, outcome: 'refused' })
}

type Told = Omit<NoticeMail, 'mail' | 'outcome'> & { outcome: NoticeMail['outcome'] | 'refused' }

async function write(
  { db, dashboardUrl, signUpUrl, notices, clock }: MailJobOptions,
  request: MailRequest,
  isFirst: boolean,
): Promise<WrittenMail | { kind: 'mail'; mail: Mail; told: Told }> {
  if (request.kind === 'follow' || request.kind === 'followed') {
    const mail = await writeFollowMail(db, request, { ...notices, isFirst })
    return mail === null ? { kind: 'none' } : { kind: 'mail', mail }
  }
  if (request.kind === 'notices') {
    const written = await writeNoticeMail(db, request.userId, notices)
    if (written === null) return { kind: 'none' }
    const { mail, ...told } = written
    return { kind: 'mail', mail, told }
  }
  if (request.kind !== 'review') return writeMail(db, request, { dashboardUrl, signUpUrl, isFirst })
  const mail = await writeReviewMail(db, { email: request.email, dashboardUrl, now: clock.now() })
  return mail === null ? { kind: 'none' } : { kind: 'mail', mail }
}

/** Ends a job, and with it, in one transaction, puts the next attempt in, or ends the notices that were mailed. */
async function end(
  { db, queue, clock }: MailJobOptions,
  job: FetchedJob<'mail'>,
  again: { delayMs: number; failures: number } | null,
  told: Told | null = null,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const ended = await queue.complete(trx, 'mail', [job])
    const { askedAt, failures: _, ...request } = job.data
    // Also where another worker has taken the job over: the mail is sent.
    if (told !== null && request.kind === 'notices')
      await settleNotices(trx, request.userId, told.noticeIds, told.outcome)
    if (!ended.has(job.id) || again === null) return
    await requestMail(trx, queue, request, { now: clock.now(), askedAt, ...again })
  })
}
