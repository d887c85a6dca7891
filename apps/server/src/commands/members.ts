import { resetSecondFactor } from '../features/members/actions.ts'
import { requestMail } from '../features/members/mail-queue.ts'
import { kindOf } from '../features/notices/notice.ts'
import { listNotices } from '../features/notices/notice-store.ts'
import { readSettings } from '../features/notices/settings-store.ts'
import { writeWords } from '../features/notices/words.ts'
import { findUserId } from '../features/members/user-store.ts'
import { systemClock } from '../platform/clock.ts'
import { UserError } from '../platform/user-error.ts'
import { countArgument, emailArgument } from './arguments.ts'
import { say, withQueue, type CommandGroup } from './command.ts'
import { cutAt, print, printCut, shortTime, type OutputOptions } from './output.ts'

const noticesMax = 10_000

export const memberCommands: CommandGroup = (program) => {
  const members = program.command('members').description('People who sign in to the dashboard')

  members
    .command('reset-second-factor')
    .description('Remove the second factor and the passkeys of somebody who lost them and the recovery codes')
    .argument('<email>', 'Address they sign in with', emailArgument)
    .notes(
      `
Make sure first that it is they who ask: afterwards the password is enough. They are signed out everywhere, are told by
mail, and it stands in the audit log of each of their accounts.`,
    )
    .onDatabase(async (context, email: string, options: OutputOptions) => {
      const { db } = context
      const result = await withQueue(context, (queue) =>
        db.transaction().execute(async (trx) => {
          const id = await findUserId(trx, email)
          if (id === undefined) throw new UserError(`There is no user "${email}".`)
          const account_ids = await resetSecondFactor(trx, id, email)
          await requestMail(trx, queue, { kind: 'second-factor-reset', email }, { now: systemClock.now() })
          return { id, email, account_ids }
        }),
      )
      print(
        result,
        options,
        () =>
          `${email} has no second factor and no passkey any more, is signed out everywhere and is told by mail. The password alone is enough now.`,
      )
    })

  members
    .command('notices')
    .description(
      'What somebody was told of their accounts and what they watch, latest first, and whether it was mailed',
    )
    .argument('<email>', 'Address they sign in with', emailArgument)
    .option('--limit <count>', 'How many at most', countArgument(noticesMax), 50)
    .notes(
      `
Those of 60 days. "waiting": on its way, or the mail server is away. "off": they have switched such mails
off. "not_mailed": SMTP_URL was not set. "refused": the mailbox does not take mail.`,
    )
    .onDatabase(async ({ db }, email: string, options: OutputOptions & { limit: number }) => {
      const id = await findUserId(db, email)
      if (id === undefined) throw new UserError(`There is no user "${email}".`)
      const { off } = await readSettings(db, id)
      if (off.length > 0) say(`${email} has switched off: ${off.join(', ')}.`)
      const notices = await listNotices(db, id, options.limit + 1)
      const rows = notices.map((notice) => ({
        id: notice.id,
        at: notice.created_at,
        account_id: notice.account_id,
        kind: kindOf[notice.event],
        event: notice.event,
        outcome: notice.outcome,
        subject: writeWords(notice).subject,
      }))
      printCut(
        cutAt(rows, options.limit, noticesMax),
        options,
        `${email} was told nothing in the last 60 days.`,
        [
          ['at (UTC)', (row) => shortTime(row.at)],
          ['account', 'account_id'],
          'kind',
          ['mail', 'outcome'],
          'subject',
        ],
      )
    })
}
