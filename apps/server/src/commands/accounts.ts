import { Option } from 'commander'
import { getAccount, insertAccount, listAccounts } from '../features/accounts/account-store.ts'
import { inviteMember } from '../features/members/actions.ts'
import type { Role } from '../features/members/member-store.ts'
import { publicUrl } from '../platform/config.ts'
import { emailArgument, nameArgument } from './arguments.ts'
import { actOn, say, type CommandGroup } from './command.ts'
import { print, printList, shortTime, type OutputOptions } from './output.ts'

export const accountCommands: CommandGroup = (program) => {
  const accounts = program
    .command('accounts')
    .description('Accounts: who owns keys, plans, packs and webhooks')

  accounts
    .command('create')
    .description('Create an account. It is on the free plan until it has a subscription.')
    .requiredOption('--name <name>', 'Name of the account', nameArgument)
    .onDatabase(async ({ db }, options: OutputOptions & { name: string }) => {
      const account = await insertAccount(db, options.name)
      print(account, options, () => `${account.id}\nNext: ratecard keys create --account ${account.id}`)
    })

  accounts
    .command('list')
    .description('List all accounts, oldest first')
    .onDatabase(async ({ db }, options: OutputOptions) => {
      printList(await listAccounts(db), options, 'No accounts yet: ratecard accounts create --name NAME', [
        'id',
        'name',
        ['created (UTC)', (account) => shortTime(account.created_at)],
      ])
    })

  accounts
    .command('invite')
    .description('Make a link with which somebody becomes a member of an account. It is shown once, here.')
    .argument('<account-id>', 'The account, as "accounts list" names it')
    .argument('<email>', 'Address they sign in with, or sign up with first', emailArgument)
    .addOption(
      new Option('--role <role>', 'owner: billing and members too')
        .choices(['owner', 'member'])
        .default('owner'),
    )
    .notes(
      `
The first member of an account that was made by "accounts create" comes this way; owners invite the others on the
dashboard. The link works once, for 7 days; of two to one address the newer works. It begins with PUBLIC_URL.`,
    )
    .onDatabase(
      async ({ db, config }, accountId: string, email: string, options: OutputOptions & { role: Role }) => {
        const { id } = await getAccount(db, accountId)
        const { role } = options
        const { invitation, token } = await actOn(db, id, (trx, by) => inviteMember(trx, by, { email, role }))
        const base = publicUrl(config, config.PORT)
        const link = `${base}/dashboard/accept-invitation#token=${token}`
        print({ ...invitation, account_id: id, link }, options, () => link)
        if (!options.json) say(`Give it to ${email}. Nothing was mailed.`)
      },
    )
}
