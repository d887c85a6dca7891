import { insertAccount, listAccounts } from '../features/accounts/account-store.ts'
import { nameArgument } from './arguments.ts'
import { withDatabase, type CommandGroup } from './command.ts'
import { print, printList, shortTime, type OutputOptions } from './output.ts'

export const accountCommands: CommandGroup = (program) => {
  const accounts = program
    .command('accounts')
    .description('Accounts: who owns keys, plans, packs and webhooks')

  accounts
    .command('create')
    .description('Create an account. It is on the free plan until it has a subscription.')
    .requiredOption('--name <name>', 'Name of the account', nameArgument)
    .action((options: OutputOptions & { name: string }) =>
      withDatabase(async ({ db }) => {
        const account = await insertAccount(db, options.name)
        print(account, options, () => `${account.id}\nNext: ratecard keys create --account ${account.id}`)
      }),
    )

  accounts
    .command('list')
    .description('List all accounts, oldest first')
    .action((options: OutputOptions) =>
      withDatabase(async ({ db }) => {
        printList(
          await listAccounts(db),
          { ...options, empty: 'No accounts yet: ratecard accounts create --name NAME' },
          [
            ['id', 'id'],
            ['name', 'name'],
            ['created (UTC)', (account) => shortTime(account.created_at)],
          ],
        )
      }),
    )
}
