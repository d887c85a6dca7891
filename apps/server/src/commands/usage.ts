import { listQuotaSubjects } from '../features/accounts/api-key-store.ts'
import { termsFor } from '../features/entitlements/plans.ts'
import { listCurrentPlans } from '../features/entitlements/subscription-store.ts'
import { readUsage } from '../features/metering/usage-store.ts'
import type { AccountOptions, CommandGroup } from './command.ts'
import { print, formatTable } from './output.ts'

export const usageCommands: CommandGroup = (program) => {
  program
    .command('usage')
    .description("Show what an account's keys have used today (UTC), and what its packs hold")
    .requiredOption('--account <id>', 'Account to look at')
    .onAccount(async ({ db, accountId }, options: AccountOptions) => {
      const plans = await listCurrentPlans(db, accountId)
      const terms = termsFor(plans)
      const subjects = await listQuotaSubjects(db, accountId)
      const readings = await Promise.all(
        subjects.map(async ({ key_id, name, quota_subject: quotaSubject }) => ({
          key_id,
          name,
          usage: await readUsage(db, { quotaSubject, accountId, terms }),
        })),
      )
      const { packs, day } =
        readings[0]?.usage ?? (await readUsage(db, { quotaSubject: '', accountId, terms }))
      const result = {
        id: accountId,
        plans: plans.length > 0 ? plans : ['free'],
        day,
        keys: readings.map(({ key_id: id, name, usage: { rateLimit, planUsed, endpoints } }) => ({
          id,
          name,
          daily_quota: { limit: rateLimit.limit, used: planUsed, remaining: rateLimit.remaining },
          endpoints,
        })),
        topup: { remaining: packs.reduce((sum, pack) => sum + pack.remaining, 0), packs },
      }
      print(result, options, () =>
        [
          `${accountId} on ${result.plans.join(', ')}, ${result.day} (UTC). Packs hold ${result.topup.remaining} requests.`,
          formatTable(result.keys, [
            ['key', 'id'],
            'name',
            ['used', (key) => key.daily_quota.used],
            ['limit', (key) => key.daily_quota.limit],
            ['left', (key) => key.daily_quota.remaining],
            ['prices', (key) => key.endpoints.prices],
            ['changes', (key) => key.endpoints.changes],
            ['webhooks', (key) => key.endpoints.webhooks],
          ]),
        ].join('\n'),
      )
    })
}
