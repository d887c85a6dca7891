import { getAccount } from '../features/accounts/account-store.ts'
import type { PaidPlan } from '../features/entitlements/plans.ts'
import {
  endSubscription,
  findSubscription,
  listSubscriptions,
  putSubscription,
} from '../features/entitlements/subscription-store.ts'
import { insertAuditEntry, type AuditAction } from '../features/members/audit-store.ts'
import type { Db, Trx } from '../database/connect.ts'
import { planArgument, timeArgument } from './arguments.ts'
import { withDatabase, type CommandGroup } from './command.ts'
import { print, printList, shortTime, type OutputOptions } from './output.ts'

interface PlanOptions extends OutputOptions {
  account: string
  plan: PaidPlan
}

export const subscriptionCommands: CommandGroup = (program) => {
  const subscriptions = program
    .command('subscriptions')
    .description('Paid plans of an account, and their periods')

  subscriptions
    .command('set')
    .description("Write an account's record for a plan, in place of the one there was")
    .requiredOption('--account <id>', 'Account that gets the plan')
    .requiredOption('--plan <plan>', 'developer, scale, team or enterprise', planArgument)
    .option('--from <time>', 'Start of the period (default: now)', timeArgument)
    .option('--until <time>', 'End of the period, exclusive (default: open-ended)', timeArgument)
    .action((options: PlanOptions & { from?: string; until?: string }) =>
      withDatabase(async ({ db }) => {
        const { id } = await getAccount(db, options.account)
        const { plan, from, until } = options
        await db.transaction().execute(async (trx) => {
          await putSubscription(trx, id, plan, { from, until })
          await note(trx, id, plan, 'billing.plan_set')
        })
        await printRecord(db, options)
      }),
    )

  subscriptions
    .command('end')
    .description('End a plan now')
    .requiredOption('--account <id>', 'Account that has the plan')
    .requiredOption('--plan <plan>', 'developer, scale, team or enterprise', planArgument)
    .action((options: PlanOptions) =>
      withDatabase(async ({ db }) => {
        const { id } = await getAccount(db, options.account)
        await db.transaction().execute(async (trx) => {
          await endSubscription(trx, id, options.plan)
          await note(trx, id, options.plan, 'billing.plan_ended')
        })
        await printRecord(db, options)
      }),
    )

  subscriptions
    .command('list')
    .description("List an account's plans, past and future ones too")
    .requiredOption('--account <id>', 'Account that has the plans')
    .action((options: OutputOptions & { account: string }) =>
      withDatabase(async ({ db }) => {
        const { id } = await getAccount(db, options.account)
        printList(
          await listSubscriptions(db, id),
          { ...options, empty: 'No paid plan: the account is on the free plan.' },
          [
            ['plan', 'plan'],
            ['current', (row) => (row.current ? 'yes' : 'no')],
            ['status', 'status'],
            ['from (UTC)', (row) => shortTime(row.starts_at)],
            ['until (UTC)', (row) => (row.ends_at === null ? 'open' : shortTime(row.ends_at))],
          ],
        )
      }),
    )
}

/** Records an operator's action in the account's audit log. */
async function note(trx: Trx, accountId: string, plan: PaidPlan, action: AuditAction): Promise<void> {
  const record = await findSubscription(trx, accountId, plan)
  await insertAuditEntry(trx, {
    accountId,
    actor: { kind: 'operator' },
    action,
    subjectId: plan,
    details: {
      ...(record && { starts_at: record.starts_at }),
      ...(record?.ends_at != null && { ends_at: record.ends_at }),
    },
  })
}

async function printRecord(db: Db, { account, plan, ...options }: PlanOptions): Promise<void> {
  const record = (await listSubscriptions(db, account)).find((row) => row.plan === plan)
  if (!record) throw new Error('The subscription was not stored.')
  print(record, options, () => {
    const end = record.ends_at === null ? 'open-ended' : `until ${shortTime(record.ends_at)} UTC`
    return `${plan} for ${account}: from ${shortTime(record.starts_at)} UTC, ${end}, ${record.current ? 'current' : 'not current'}.`
  })
}
