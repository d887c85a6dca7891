import { sql } from 'kysely'
import { logFailure, type Db, type Trx } from '../database/connect.ts'
import { requestMail, type MailQueue } from '../features/members/mail-queue.ts'
import {
  decideKeys,
  decidePacks,
  decideQuotas,
  decideWebhooks,
  type DecideOptions,
} from '../features/notices/decide-usage.ts'
import { decideAtOnce, decideDigest } from '../features/notices/decide-watched.ts'
import { decideFollowed } from '../features/notices/follow-mail.ts'
import { takeDueUsers } from '../features/notices/notice-store.ts'
import type { Clock } from '../platform/clock.ts'
import type { Logger } from '../platform/logger.ts'
import type { Queue } from '../queue/queue.ts'
import { startPolling, type Polling } from './poll.ts'

export interface NoticeJobOptions extends DecideOptions {
  db: Db
  queue: Pick<Queue, 'enqueue'>
  clock: Clock
  logger: Logger
}

const pollMs = 60_000
/** What takes days to come about is looked for less often: it is found by reading all packs and endpoints. */
const seldomEvery = 10
const noticesAtOnceMax = 1_000
const noticeLock = 7_310_007

type Decide = (trx: Trx, options: DecideOptions & { queue: MailQueue; now: Date }) => Promise<number>
const often: Record<string, Decide> = {
  quotas: decideQuotas,
  'changes at once': decideAtOnce,
  'changes of a day': decideDigest,
  'followed changes': decideFollowed,
}
const seldom: Record<string, Decide> = {
  packs: decidePacks,
  webhooks: decideWebhooks,
  keys: decideKeys,
}

/** Finds what people are to be told, until stopped: `jobs/mail.ts` sends what is queued here. */
export function startNotices(options: NoticeJobOptions): Polling {
  let round = 0
  return startPolling(
    async () => {
      await tellPeople(options, { seldom: round % seldomEvery === 0 })
      round += 1
      return false
    },
    { pollMs, onError: (error) => logFailure(options.logger, error, 'people are not told what happened') },
  )
}

/** One look. What fails is tried again at the next one, and keeps nothing else from being told. */
export async function tellPeople(
  { db, queue, clock, logger, ...options }: NoticeJobOptions,
  look: { seldom: boolean } = { seldom: true },
): Promise<void> {
  for (const [what, decide] of Object.entries(look.seldom ? { ...often, ...seldom } : often)) {
    try {
      const count = await db.transaction().execute(async (trx) => {
        // One worker looks at a time: the others would find the same.
        const { rows } = await sql<{ isMine: boolean }>`
          select pg_try_advisory_xact_lock(${sql.lit(noticeLock)}) as "isMine"`.execute(trx)
        return rows[0]?.isMine ? decide(trx, { ...options, queue, now: clock.now() }) : 0
      })
      if (count > 0) logger.info({ what, count }, 'people are to be told')
    } catch (error) {
      logFailure(logger, error, `people are not told of ${what}`)
    }
  }
  await db.transaction().execute(async (trx) => {
    for (const userId of await takeDueUsers(trx, noticesAtOnceMax))
      await requestMail(trx, queue, { kind: 'notices', userId }, { now: clock.now() })
  })
}
