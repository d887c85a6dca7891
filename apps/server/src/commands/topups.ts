import { getAccount } from '../features/accounts/account-store.ts'
import { asOperator } from '../features/audit/audit-store.ts'
import { grantPack } from '../features/billing/actions.ts'
import { listPacks, packUnits } from '../features/metering/pack-store.ts'
import { countArgument, timeArgument } from './arguments.ts'
import { withDatabase, type CommandGroup } from './command.ts'
import { print, printList, shortTime, type OutputOptions } from './output.ts'

const unitsMax = 1_000_000_000

interface GrantOptions extends OutputOptions {
  account: string
  requests: number
  purchasedAt?: string
  expiresAt?: string
}

export const topupCommands: CommandGroup = (program) => {
  const topups = program.command('topups').description("Top-up packs: requests beyond the plan's daily quota")

  topups
    .command('grant')
    .description('Give an account a pack. It holds from the next request on.')
    .requiredOption('--account <id>', 'Account that gets the pack')
    .option('--requests <count>', 'Requests in the pack', countArgument(unitsMax), packUnits)
    .option(
      '--purchased-at <time>',
      'When it was bought: packs are used in this order (default: now)',
      timeArgument,
    )
    .option(
      '--expires-at <time>',
      'From when on it is worth nothing (default: 30 days after the purchase)',
      timeArgument,
    )
    .action((options: GrantOptions) =>
      withDatabase(async ({ db }) => {
        const { id } = await getAccount(db, options.account)
        const { requests: units, purchasedAt, expiresAt } = options
        const pack = await db
          .transaction()
          .execute((trx) => grantPack(trx, asOperator(id), { units, purchasedAt, expiresAt }))
        print(
          pack,
          options,
          () => `${pack.id}: ${pack.units} requests until ${shortTime(pack.expires_at)} UTC.`,
        )
      }),
    )

  topups
    .command('list')
    .description("List an account's packs in the order of use, used-up and expired ones too")
    .requiredOption('--account <id>', 'Account that has the packs')
    .action((options: OutputOptions & { account: string }) =>
      withDatabase(async ({ db }) => {
        const { id } = await getAccount(db, options.account)
        printList(
          await listPacks(db, id),
          { ...options, empty: `No packs: ratecard topups grant --account ${id}` },
          [
            ['id', 'id'],
            ['requests', 'units'],
            ['left', 'remaining'],
            ['state', 'state'],
            ['bought (UTC)', (pack) => shortTime(pack.purchased_at)],
            ['expires (UTC)', (pack) => shortTime(pack.expires_at)],
          ],
        )
      }),
    )
}
