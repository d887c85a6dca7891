import { paidPlans, type PaidPlan } from '../features/entitlements/plans.ts'
import { endPlan, setPlan } from '../features/billing/actions.ts'
import { listSubscriptions, type Subscription } from '../features/entitlements/subscription-store.ts'
import { choiceArgument, timeArgument } from './arguments.ts'
import { actOn, type AccountOptions, type CommandGroup } from './command.ts'
import { print, printList, shortTime } from './output.ts'

interface PlanOptions extends AccountOptions {
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
    .requiredOption('--plan <plan>', 'developer, scale, team or enterprise', choiceArgument(paidPlans))
    .option('--from <time>', 'Start of the period (default: now)', timeArgument)
    .option('--until <time>', 'End of the period, exclusive (default: open-ended)', timeArgument)
    .onAccount(async ({ db, accountId }, options: PlanOptions & { from?: string; until?: string }) => {
      const { plan, from, until } = options
      const record = await actOn(db, accountId, (trx, by) => setPlan(trx, by, plan, { from, until }))
      printRecord(record, options)
    })

  subscriptions
    .command('end')
    .description('End a plan now')
    .requiredOption('--account <id>', 'Account that has the plan')
    .requiredOption('--plan <plan>', 'developer, scale, team or enterprise', choiceArgument(paidPlans))
    .onAccount(async ({ db, accountId }, options: PlanOptions) => {
      const record = await actOn(db, accountId, (trx, by) => endPlan(trx, by, options.plan))
      printRecord(record, options)
    })

  subscriptions
    .command('list')
    .description("List an account's plans, past and future ones too")
    .requiredOption('--account <id>', 'Account that has the plans')
    .onAccount(async ({ db, accountId }, options: AccountOptions) => {
      const rows = await listSubscriptions(db, accountId)
      printList(rows, options, 'No paid plan: the account is on the free plan.', [
        'plan',
        ['current', (row) => (row.current ? 'yes' : 'no')],
        'status',
        ['from (UTC)', (row) => shortTime(row.starts_at)],
        ['until (UTC)', (row) => (row.ends_at === null ? 'open' : shortTime(row.ends_at))],
      ])
    })
}

function printRecord(record: Subscription, { account, plan, ...options }: PlanOptions): void {
  print(record, options, () => {
    const end = record.ends_at === null ? 'open-ended' : `until ${shortTime(record.ends_at)} UTC`
    return `${plan} for ${account}: from ${shortTime(record.starts_at)} UTC, ${end}, ${record.current ? 'current' : 'not current'}.`
  })
}
