import { resetSecondFactor } from '../features/members/actions.ts'
import { requestMail } from '../features/members/mail-queue.ts'
import { findUserId } from '../features/members/user-store.ts'
import { systemClock } from '../platform/clock.ts'
import { UserError } from '../platform/user-error.ts'
import { emailArgument } from './arguments.ts'
import { withDatabase, withQueue, type CommandGroup } from './command.ts'
import { print, type OutputOptions } from './output.ts'

export const memberCommands: CommandGroup = (program) => {
  const members = program.command('members').description('People who sign in to the dashboard')

  members
    .command('reset-second-factor')
    .description('Remove the second factor of somebody who lost it and the recovery codes')
    .argument('<email>', 'Address they sign in with', emailArgument)
    .addHelpText(
      'after',
      `
Make sure first that it is they who ask: afterwards the password is enough. They are signed out everywhere, are told by
mail, and it stands in the audit log of each of their accounts.`,
    )
    .action((email: string, options: OutputOptions) =>
      withDatabase(async (context) => {
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
            `${email} has no second factor any more, is signed out everywhere and is told by mail. The password alone is enough now.`,
        )
      }),
    )
}
