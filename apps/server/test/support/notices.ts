import { beforeEach } from 'vitest'
import { sql } from 'kysely'
import type { Db } from '../../src/database/connect.ts'
import { insertMember, type Role } from '../../src/features/members/member-store.ts'
import { createUnsubscribeTokens } from '../../src/features/notices/unsubscribe-token.ts'
import { writeNoticeMail, type NoticeMail } from '../../src/features/notices/write-mail.ts'
import { settleNotices } from '../../src/features/notices/notice-store.ts'
import { createSecretBox, generateSecretsKey } from '../../src/features/webhooks/secret-box.ts'
import { tellPeople } from '../../src/jobs/notices.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { newId } from '../../src/platform/ids.ts'
import { createLogger } from '../../src/platform/logger.ts'
import type { TestDatabase } from './postgres.ts'

// What a worker does for notices, look by look.

const options = {
  publicUrl: 'https://prices.example',
  canMail: true,
  tokens: createUnsubscribeTokens(createSecretBox([generateSecretsKey()])),
}

export interface NoticeScene {
  /** A look of a worker. */
  look: (settings?: { canMail?: boolean }) => Promise<void>
  /** Writes the next mail for a person, and ends its notices as if it were sent. */
  nextMail: (userId: string) => Promise<NoticeMail | null>
  /** Events and outcomes of a person, the oldest first. */
  told: (userId: string) => Promise<string[]>
}

export function useNotices(database: TestDatabase): NoticeScene {
  beforeEach(async () => {
    await sql`truncate notices, notice_settings, notice_progress, watches`.execute(database.db)
  })
  const queue = { enqueue: () => Promise.resolve() }
  const logger = createLogger('error')
  return {
    look: ({ canMail = true } = {}) =>
      tellPeople({ db: database.db, queue, canMail, clock: systemClock, logger }),
    nextMail: async (userId) => {
      const written = await writeNoticeMail(database.db, userId, options)
      if (written !== null)
        await database.db
          .transaction()
          .execute((trx) => settleNotices(trx, userId, written.noticeIds, written.outcome))
      return written
    },
    told: async (userId) => {
      const rows = await database.db
        .selectFrom('notices')
        .select(['event', 'outcome'])
        .where('user_id', '=', userId)
        .orderBy('created_at')
        .orderBy('event')
        .execute()
      return rows.map(({ event, outcome }) => `${event} ${outcome}`)
    },
  }
}

let people = 0

/** A user who never signs in. @returns the id */
export async function createPerson(
  db: Db,
  accountId: string,
  { role = 'owner', isVerified = true }: { role?: Role; isVerified?: boolean } = {},
): Promise<string> {
  people += 1
  const userId = newId('usr')
  await db
    .insertInto('auth_users')
    .values({
      id: userId,
      name: 'Ada',
      email: `person${people}@customer.example`,
      email_verified: isVerified,
    })
    .execute()
  await db.transaction().execute((trx) => insertMember(trx, { accountId, userId, role }))
  return userId
}
