import { plansOf } from '../store.ts'
import type { Trx } from '../database/connect.ts'
import { getAccount } from '../features/accounts/account-store.ts'
import {
  insertApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  type ApiKey,
  type NewApiKey,
} from '../features/accounts/api-key-store.ts'
import { insertAuditEntry, type AuditAction } from '../features/members/audit-store.ts'
import { termsFor } from '../features/entitlements/plans.ts'
import { listCurrentPlans } from '../features/entitlements/subscription-store.ts'
import { durationArgument, nameArgument } from './arguments.ts'
import { say, withDatabase, type CommandGroup } from './command.ts'
import { print, printList, shortTime, type OutputOptions } from './output.ts'

export const keyCommands: CommandGroup = (program) => {
  const keys = program.command('keys').description('API keys: each has a daily quota of its own')

  keys
    .command('create')
    .description('Create a key. It is shown once, here.')
    .requiredOption('--account <id>', 'Account that owns the key')
    .option('--name <name>', 'Name to know the key by', nameArgument, 'default')
    .action((options: OutputOptions & { account: string; name: string }) =>
      withDatabase(async ({ db, config }) => {
        const { id } = await getAccount(db, options.account)
        const { keysMax } = termsFor(plansOf(config), await listCurrentPlans(db, id))
        const key = await db.transaction().execute(async (trx) => {
          const made = await insertApiKey(trx, id, options.name, keysMax)
          await note(trx, made, 'key.created', { name: made.name })
          return made
        })
        printNewKey(key, options)
      }),
    )

  keys
    .command('list')
    .description("List an account's keys, revoked ones too")
    .requiredOption('--account <id>', 'Account that owns the keys')
    .action((options: OutputOptions & { account: string }) =>
      withDatabase(async ({ db }) => {
        const { id } = await getAccount(db, options.account)
        printList(
          await listApiKeys(db, id),
          { ...options, empty: `No keys yet: ratecard keys create --account ${id}` },
          [
            ['id', 'id'],
            ['name', 'name'],
            ['key', (key) => `${key.prefix}…${key.last_four}`],
            ['created (UTC)', (key) => shortTime(key.created_at)],
            ['last used', (key) => shortTime(key.last_used_at)],
            ['revoked', (key) => shortTime(key.revoked_at)],
          ],
        )
      }),
    )

  keys
    .command('revoke')
    .description('Refuse a key from the next request on, for good')
    .argument('<key-id>', 'The key, as "keys list" names it')
    .action((keyId: string, options: OutputOptions) =>
      withDatabase(async ({ db }) => {
        const key = await db.transaction().execute(async (trx) => {
          const revoked = await revokeApiKey(trx, keyId)
          await note(trx, revoked, 'key.revoked', { name: revoked.name })
          return revoked
        })
        print(key, options, () => `${key.id} is revoked.`)
      }),
    )

  keys
    .command('rotate')
    .description(
      "Replace a key by a new one that continues its day's counter. The new key is shown once, here.",
    )
    .argument('<key-id>', 'The key, as "keys list" names it')
    .option(
      '--grace <time>',
      'How long the old key goes on working, such as 30m (at most 24h)',
      durationArgument,
      0,
    )
    .action((keyId: string, options: OutputOptions & { grace: number }) =>
      withDatabase(async ({ db }) => {
        const key = await db.transaction().execute(async (trx) => {
          const made = await rotateApiKey(trx, keyId, options.grace)
          await note(trx, { ...made, id: keyId }, 'key.rotated', {
            name: made.name,
            new_key: made.id,
            grace_seconds: String(options.grace),
          })
          return made
        })
        printNewKey(key, options)
      }),
    )
}

/** Records an operator's action in the account's audit log. */
async function note(
  trx: Trx,
  { id, account_id }: Pick<ApiKey, 'id' | 'account_id'>,
  action: AuditAction,
  details: Record<string, string>,
): Promise<void> {
  await insertAuditEntry(trx, {
    accountId: account_id,
    actor: { kind: 'operator' },
    action,
    subjectId: id,
    details,
  })
}

function printNewKey(key: NewApiKey, options: OutputOptions): void {
  print(key, options, () => key.key)
  if (!options.json) say(`This is ${key.id}. The key is shown only now: keep it in a safe place.`)
}
