import type { Product } from './product.ts'

const hourMs = 3_600_000

/** What the demo user watches, and was told: notices in every state. */
export async function seedNotices({ withDb, demo }: Product): Promise<void> {
  const day = new Date(Date.now() + 30 * 24 * hourMs).toISOString().slice(0, 10)
  const key = { key_id: 'key_1', key_name: 'CI pipeline', last_four: 'a1b2', limit: 10_000, pack_units: 0 }
  const hook = { webhook_id: 'wh_1', host: 'hooks.acme.example', since: `${day}T09:00:00.000000Z` }
  const pack = { packs: 1, remaining: 12_345, ends_at: `${day}T06:00:00.000000Z` }
  const told = [
    ['quota_used_up', { ...key, used: 10_000 }, 'waiting'],
    ['quota_80', { ...key, used: 8_012 }, 'mailed'],
    ['packs_low', { units: 50_000, remaining: 4_100 }, 'off'],
    ['packs_ending', pack, 'collected'],
    ['webhook_off', { ...hook, error: 'timeout: No answer in 15 s.' }, 'refused'],
    ['watched_digest', { changes: ['chg_1', 'chg_2'], total: 2, day }, 'not_mailed'],
  ] as const
  const watched = [
    ['product', 'openai/gpt-4o-mini'],
    ['product', 'google/gemini-2.5-pro'],
    ['product', 'anthropic/claude-sonnet-4-5'],
    ['vendor', 'openai'],
  ] as const
  await withDb(async (db) => {
    const member = await db
      .selectFrom('members')
      .innerJoin('auth_users', 'auth_users.id', 'members.user_id')
      .select(['account_id', 'user_id'])
      .where('account_id', '=', demo.account_id)
      .where('email', '=', demo.email)
      .executeTakeFirstOrThrow()
    await db
      .insertInto('watches')
      .values(watched.map(([kind, name]) => ({ ...member, kind, name })))
      .execute()
    await db
      .insertInto('notices')
      .values(
        told.map(([event, facts, outcome], index) => ({
          ...member,
          event,
          period: 'seed',
          facts: JSON.stringify(facts),
          outcome,
          created_at: new Date(Date.now() - index * 7 * hourMs).toISOString(),
        })),
      )
      .execute()
    await db
      .insertInto('scheduled_prices')
      .values({
        source: 'genai-prices',
        resource_id: 'openai:gpt-4o-mini',
        starts_on: day,
        amounts: JSON.stringify({ input_per_mtok: '0.2', output_per_mtok: '0.8' }),
        learned_at: new Date().toISOString(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}
