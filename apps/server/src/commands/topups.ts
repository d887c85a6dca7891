import { grantPack } from '../features/billing/actions.ts'
import { listPacks, packUnits } from '../features/metering/pack-store.ts'
import { countArgument, timeArgument } from './arguments.ts'
import { actOn, type AccountOptions, type CommandGroup } from './command.ts'
import { print, printList, shortTime } from './output.ts'

const unitsMax = 1_000_000_000

interface GrantOptions extends AccountOptions {
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
    .onAccount(async ({ db, accountId }, options: GrantOptions) => {
      const { requests: units, purchasedAt, expiresAt } = options
      const grant = { units, purchasedAt, expiresAt }
      const pack = await actOn(db, accountId, (trx, by) => grantPack(trx, by, grant))
      print(
        pack,
        options,
        () => `${pack.id}: ${pack.units} requests until ${shortTime(pack.expires_at)} UTC.`,
      )
    })

  topups
    .command('list')
    .description("List an account's packs in the order of use, used-up and expired ones too")
    .requiredOption('--account <id>', 'Account that has the packs')
    .onAccount(async ({ db, accountId }, options: AccountOptions) => {
      const packs = await listPacks(db, accountId)
      printList(packs, options, `No packs: ratecard topups grant --account ${accountId}`, [
        'id',
        ['requests', 'units'],
        ['left', 'remaining'],
        'state',
        ['bought (UTC)', (pack) => shortTime(pack.purchased_at)],
        ['expires (UTC)', (pack) => shortTime(pack.expires_at)],
      ])
    })
}
