import { Option } from 'commander'
import * as actions from '../features/accounts/actions.ts'
import { getApiKey, listApiKeys, KeyScope, type NewApiKey } from '../features/accounts/api-key-store.ts'
import { readTerms } from '../features/entitlements/account-terms.ts'
import { durationArgument, expiryArgument, expiryForms, nameArgument } from './arguments.ts'
import { actOn, say, type AccountOptions, type CommandGroup } from './command.ts'
import { print, printList, shortTime, type OutputOptions } from './output.ts'

export const keyCommands: CommandGroup = (program) => {
  const keys = program.command('keys').description('API keys: each has a daily quota of its own')

  keys
    .command('create')
    .description('Create a key. It is shown once, here.')
    .requiredOption('--account <id>', 'Account that owns the key')
    .option('--name <name>', 'Name to know the key by', nameArgument, 'default')
    .option('--expires <when>', `When it is refused: ${expiryForms}`, expiryArgument, null)
    .addOption(
      new Option('--scope <scope>', 'prices: GET /v1/prices and GET /v1/usage alone, whatever the plan')
        .choices(KeyScope.options)
        .default('all'),
    )
    .onAccount(
      async (
        { db, accountId },
        options: AccountOptions & { name: string; expires: string | null; scope: KeyScope },
      ) => {
        const { keysMax } = await readTerms(db, accountId)
        const { name, scope, expires: expiresAt } = options
        const key = await actOn(db, accountId, (trx, by) =>
          actions.createKey(trx, by, { name, keysMax, scope, expiresAt }),
        )
        printNewKey(key, options)
      },
    )

  keys
    .command('list')
    .description("List an account's keys, those that are refused too")
    .requiredOption('--account <id>', 'Account that owns the keys')
    .onAccount(async ({ db, accountId }, options: AccountOptions) => {
      const keys = await listApiKeys(db, accountId)
      printList(keys, options, `No keys yet: ratecard keys create --account ${accountId}`, [
        'id',
        'name',
        ['key', (key) => `${key.prefix}…${key.last_four}`],
        'scope',
        ['created (UTC)', (key) => shortTime(key.created_at)],
        ['last used', (key) => shortTime(key.last_used_at)],
        ['expires', (key) => shortTime(key.expires_at)],
        ['revoked', (key) => shortTime(key.revoked_at)],
      ])
    })

  keys
    .command('revoke')
    .description('Refuse a key from the next request on, for good')
    .argument('<key-id>', 'The key, as "keys list" names it')
    .onDatabase(async ({ db }, keyId: string, options: OutputOptions) => {
      const { account_id: accountId } = await getApiKey(db, keyId)
      const key = await actOn(db, accountId, (trx, by) => actions.revokeKey(trx, by, keyId))
      print(key, options, () => `${key.id} is revoked.`)
    })

  keys
    .command('expire')
    .description('Set when a key is refused, sooner or later than before, or never')
    .argument('<key-id>', 'The key, as "keys list" names it')
    .argument('<when>', `${expiryForms}, or never`, (text: string) =>
      text === 'never' ? null : expiryArgument(text),
    )
    .onDatabase(async ({ db }, keyId: string, when: string | null, options: OutputOptions) => {
      const { account_id: accountId } = await getApiKey(db, keyId)
      await actOn(db, accountId, (trx, by) => actions.setKeyExpiry(trx, by, keyId, when))
      const key = await getApiKey(db, keyId)
      print(key, options, () =>
        key.expires_at === null
          ? `${key.id} does not expire.`
          : `${key.id} expires at ${shortTime(key.expires_at)} UTC.`,
      )
    })

  keys
    .command('rotate')
    .description(
      "Replace a key by a new one with its scope and its end, which continues its day's counter. The new key is shown once, here.",
    )
    .argument('<key-id>', 'The key, as "keys list" names it')
    .option(
      '--grace <time>',
      'How long the old key goes on working, such as 30m (at most 24h)',
      durationArgument,
      0,
    )
    .onDatabase(async ({ db }, keyId: string, options: OutputOptions & { grace: number }) => {
      const { account_id: accountId } = await getApiKey(db, keyId)
      const key = await actOn(db, accountId, (trx, by) => actions.rotateKey(trx, by, keyId, options.grace))
      printNewKey(key, options)
    })
}

function printNewKey(key: NewApiKey, options: OutputOptions): void {
  print(key, options, () => key.key)
  if (!options.json) say(`This is ${key.id}. The key is shown only now: keep it in a safe place.`)
}
