import { sql } from 'kysely'
import type { Product } from './product.ts'

/** What the demo user watches, and was told: notices in every state. */
export async function seedNotices({ withDb, demo }: Product): Promise<void> {
  const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  await withDb(async (db) => {
    await sql`
      insert into watches (account_id, user_id, kind, name)
      select m.account_id, m.user_id, thing.kind, thing.name
      from members m join auth_users u on u.id = m.user_id and u.email = ${demo.email},
        (values ('product', 'openai/gpt-4o-mini'), ('product', 'google/gemini-2.5-pro'),
          ('product', 'anthropic/claude-sonnet-4-5'), ('vendor', 'openai')) thing (kind, name)
      where m.account_id = ${demo.account_id}`.execute(db)
    await sql`
      insert into scheduled_prices (source, resource_id, starts_on, amounts, learned_at)
      values ('genai-prices', 'openai:gpt-4o-mini', ${day}, '{"input_per_mtok":"0.2","output_per_mtok":"0.8"}', ratecard_now())
      on conflict do nothing`.execute(db)
    const key = { key_id: 'key_1', key_name: 'CI pipeline', last_four: 'a1b2', limit: 10_000, pack_units: 0 }
    const hook = {
      webhook_id: 'wh_1',
      host: 'hooks.acme.example',
      since: `${day}T09:00:00.000000Z`,
      error: 'timeout',
    }
    const notices = [
      ['quota_80', { ...key, used: 8_012 }, 'mailed'],
      ['quota_used_up', { ...key, used: 10_000 }, 'waiting'],
      ['packs_low', { units: 50_000, remaining: 4_100 }, 'off'],
      ['packs_ending', { packs: 1, remaining: 12_345, ends_at: `${day}T06:00:00.000000Z` }, 'collected'],
      ['webhook_off', hook, 'refused'],
      ['watched_digest', { changes: ['chg_1', 'chg_2'], total: 2, day }, 'not_mailed'],
    ] as const
    for (const [index, [event, facts, outcome]] of notices.entries()) {
      await sql`
        insert into notices (user_id, account_id, event, period, facts, outcome, created_at)
        select m.user_id, m.account_id, ${event}, 'seed', ${JSON.stringify(facts)}::jsonb, ${outcome},
          ratecard_now() - ${index * 7}::int * interval '1 hour'
        from members m join auth_users u on u.id = m.user_id and u.email = ${demo.email}
        where m.account_id = ${demo.account_id}`.execute(db)
    }
  })
}
