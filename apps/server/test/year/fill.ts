import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../src/database/connect.ts'
import { loadChanges, loadPrices } from '../page-queries/load.ts'
import { feedProfile, profile, usageDaysKept, type PlanProfile } from './profile.ts'

// Fills an empty database with a year. The largest account of each plan is its first; all rows are made by PostgreSQL, in
// the order of time, as they come.

interface Scope {
  plan: string
  of: PlanProfile
  /** Numbers of its accounts. */
  first: number
  last: number
}

/** Ids are as long as real ones. */
const id = (prefix: string, ...parts: RawBuilder<unknown>[]) =>
  sql`${sql.lit(`${prefix}_`)} || left(md5(concat_ws('-', ${sql.lit(prefix)}, ${sql.join(parts)})), 20)`

const account = (n: RawBuilder<unknown>) => id('acct', n)
const n = sql`n`
const k = sql`k`
const day = sql`(ratecard_now() at time zone 'utc')::date`

/** @param scale the share of the accounts; what is the same for all of them is whole */
export async function fillYear(
  db: Db,
  scale: number,
  say: (text: string) => void = () => undefined,
): Promise<{ accounts: number; accountOf: Record<string, string> }> {
  const scopes: Scope[] = []
  let next = 1
  for (const [plan, of] of Object.entries(profile)) {
    const count = Math.max(1, Math.round(of.accounts * scale))
    scopes.push({ plan, of, first: next, last: next + count - 1 })
    next += count
  }
  await loadPrices(db, feedProfile.prices)
  await loadChanges(db, feedProfile.changes * 365)
  for (const scope of scopes) {
    const began = performance.now()
    await fillPeople(db, scope)
    await fillUsage(db, scope)
    await fillRequests(db, scope)
    await fillDeliveries(db, scope)
    say(
      `${scope.plan}: ${scope.last - scope.first + 1} accounts in ${Math.round((performance.now() - began) / 1_000)} s`,
    )
  }
  await fillFeed(db)
  await sql`vacuum analyze`.execute(db)
  const ids = await Promise.all(
    scopes.map(async ({ plan, first }) => {
      const { rows } = await sql<{ id: string }>`select ${account(sql`${sql.lit(first)}`)} as id`.execute(db)
      return [plan, rows[0]!.id] as const
    }),
  )
  return { accounts: next - 1, accountOf: Object.fromEntries(ids) }
}

async function fillPeople(db: Db, { plan, of, first, last }: Scope): Promise<void> {
  const numbers = sql`generate_series(${first}::int, ${last}::int) n`
  const members = sql`${numbers} cross join generate_series(1, ${of.members}::int) k`
  const user = id('usr', n, k)
  await sql`insert into accounts (id, name, created_at)
    select ${account(n)}, 'Account ' || n, ratecard_now() - (n % 365) * interval '1 day' from ${numbers}`.execute(
    db,
  )
  await sql`insert into auth_users (id, name, email, email_verified)
    select ${user}, 'Person ' || k, 'person-' || k || '@customer-' || n || '.example', true from ${members}`.execute(
    db,
  )
  await sql`insert into auth_credentials (id, user_id, account_id, provider_id, password)
    select ${id('crd', n, k)}, ${user}, ${user}, 'credential', repeat('x', 161) from ${members}`.execute(db)
  await sql`insert into auth_sessions (id, user_id, token, expires_at, ip_address, user_agent)
    select ${id('ses', n, k)}, ${user}, ${id('tok', n, k)}, ratecard_now() + interval '7 days', '192.0.2.1', repeat('u', 100)
    from ${members}`.execute(db)
  await sql`insert into members (account_id, user_id, role)
    select ${account(n)}, ${user}, case when k = 1 then 'owner' else 'member' end from ${members}`.execute(db)
  await sql`insert into notices (user_id, account_id, event, period, facts, outcome, created_at, settled_at)
    select ${user}, ${account(n)}, 'quota_80', d::text, jsonb_build_object('key_id', ${id('key', n, k)}, 'used', 80, 'limit', 100),
      'mailed', at, at
    from ${members} cross join generate_series(1, ${feedProfile.noticeDays}::int) d
    cross join lateral (select ratecard_now() - d * interval '1 day' as at) t
    where (n + k + d) % ${Math.round(1 / feedProfile.notices)} = 0`.execute(db)
  if (plan !== 'free') {
    await sql`insert into subscriptions (account_id, plan, starts_at, ends_at, provider_ref)
      select ${account(n)}, ${plan}, ratecard_now() - interval '1 year', ratecard_now() + interval '20 days', 'sub_' || n
      from ${numbers}`.execute(db)
    await sql`insert into payment_events (id, type, account_id, payment_ref)
      select ${id('evt', n, k)}, 'customer.subscription.updated', ${account(n)}, null
      from ${numbers} cross join generate_series(1, 24) k`.execute(db)
  }
  await sql`insert into audit_entries (id, account_id, at, actor, user_id, actor_name, action, subject_id, details)
    select ${id('aud', n, k)}, ${account(n)}, ratecard_now() - k * (interval '400 days' / ${of.actions}::int),
      case when k % 10 = 0 then 'operator' else 'user' end, ${id('usr', n, sql`1`)}, 'person-1@customer-' || n || '.example',
      'webhook.updated', ${id('wh', n, sql`1`)}, '{"name": "Price watcher"}'
    from ${numbers} cross join generate_series(1, ${of.actions}::int) k`.execute(db)
}

async function fillUsage(db: Db, { of, first, last }: Scope): Promise<void> {
  const numbers = sql`generate_series(${first}::int, ${last}::int) n`
  const keysOf = of.keys + of.endedKeys
  // The first ones work, the others ended in the course of the year: each ended day has its successor's usage.
  await sql`insert into api_keys (id, account_id, name, hash, prefix, last_four, quota_subject, created_at, revoked_at)
    select ${id('key', n, k)}, ${account(n)}, 'Key ' || k, sha256(convert_to(n || '-' || k, 'UTF8')), 'rc_live_ab', 'wxyz',
      ${id('key', n, k)}, ratecard_now() - interval '1 year',
      case when k > ${of.keys}::int then ratecard_now() - (k % 365) * interval '1 day' end
    from ${numbers} cross join generate_series(1, ${keysOf}::int) k`.execute(db)
  // Day by day, as it comes.
  await sql`insert into usage_days (quota_subject, day, plan_used, last_grant, key_id, prices, changes, last_used_at)
    select ${id('key', n, k)}, ${day} - d, 60 + n % 30, 1, ${id('key', n, k)}, 50, 10 + n % 30, ratecard_now() - d * interval '1 day'
    from generate_series(${usageDaysKept}::int, 0, -1) d cross join ${numbers} cross join generate_series(1, ${of.keys}::int) k
    where (d * 7919 + n * 31 + k * 17) % 365 < ${of.activeDays}::int`.execute(db)
  const packs = Math.ceil(of.packs)
  const every = Math.round(packs / of.packs)
  const buyers = sql`${numbers} cross join generate_series(1, ${packs}::int) k`
  const pack = id('pack', n, k)
  await sql`insert into packs (id, account_id, purchased_at, expires_at, units, remaining, payment_ref)
    select ${pack}, ${account(n)}, at, at + interval '30 days', 50000, 50000 - 20 * 2400, ${id('pi', n, k)}
    from ${buyers} cross join lateral (select ratecard_now() - (n * 37 + k * 91) % 365 * interval '1 day' as at) t
    where n % ${every}::int = 0`.execute(db)
  // 20 days and two endpoints for each pack.
  await sql`insert into usage_ledger (quota_subject, day, key_id, endpoint, pack_id, units, last_used_at)
    select ${id('key', n, sql`1`)}, ${day} - (n * 37 + k * 91) % 365 + d, ${id('key', n, sql`1`)}, e, ${pack}, 1200, ratecard_now()
    from ${buyers} cross join generate_series(1, 20) d cross join (values ('prices'), ('changes')) e (e)
    where n % ${every}::int = 0`.execute(db)
}

async function fillRequests(db: Db, { of, first, last }: Scope): Promise<void> {
  const numbers = sql`generate_series(${first}::int, ${last}::int) n`
  const weekMs = 7 * 86_400_000
  await sql`insert into request_lines (account_id, at, id, key_id, operation, target, status, error, duration_ms)
    select ${account(n)}, ratecard_now() - (k * ${weekMs / of.lines}::float8 + n) * interval '1 millisecond',
      'req_' || left(md5(n || '-' || k), 16), ${id('key', n, sql`1 + k % ${of.keys}::int`)}, 'listPrices',
      '/v1/prices?vendor=openai&modality=llm&limit=100', case when k % 40 = 0 then 429 else 200 end,
      case when k % 40 = 0 then 'rate_limit_exceeded' else '' end, 2.5
    from generate_series(${of.lines}::int, 1, -1) k cross join ${numbers}`.execute(db)
  await sql`insert into request_counts (account_id, hour, key_id, operation, status, error, requests)
    select ${account(n)}, date_trunc('hour', ratecard_now()) - k % 168 * interval '1 hour',
      ${id('key', n, sql`1 + k / 168 % ${of.keys}::int`)}, 'listPrices', 200 + k / 168, '', 50
    from generate_series(${of.counts}::int, 1, -1) k cross join ${numbers}`.execute(db)
}

async function fillDeliveries(db: Db, { of, first, last }: Scope): Promise<void> {
  if (of.webhooks === 0) return
  const hooks = sql`generate_series(${first}::int, ${last}::int) n cross join generate_series(1, ${of.webhooks}::int) k`
  const hook = id('wh', n, k)
  await sql`insert into webhooks (id, account_id, url, events, secret_ciphertext, secret_key_id, last_status, last_success_at)
    select ${hook}, ${account(n)}, 'https://hooks.customer-' || n || '.example/prices/' || k, '{*}', '\\x00'::bytea, 'k', 200,
      ratecard_now() from ${hooks}`.execute(db)
  const told = Math.round(feedProfile.changes * feedProfile.toldShare)
  // One alert for each ten webhooks that are told of the same.
  const alert = sql`'alert_' || left(md5(concat_ws('-', ${sql.lit(first)}, (n + k) % 20, d, c)), 20)`
  const sent = sql`generate_series(${feedProfile.deliveryDays}::int, 0, -1) d cross join generate_series(1, ${told}::int) c
    cross join ${hooks} cross join lateral (select ratecard_now() - d * interval '1 day' + c * interval '1 hour' - interval '1 day' as at) t`
  await sql`insert into alerts (id, event, public_url, change_ids, created_at)
    select distinct on (1) ${alert}, 'price.changed', 'https://prices.example', array['chg_' || d || c], at from ${sent}`.execute(
    db,
  )
  const delivery = id('dlv', n, k, sql`d`, sql`c`)
  await sql`insert into deliveries (id, alert_id, webhook_id, account_id, state, attempts, created_at, finished_at)
    select ${delivery}, ${alert}, ${hook}, ${account(n)}, case when (n + d + c) % 50 = 0 then 'exhausted' else 'delivered' end, 1, at, at
    from ${sent}`.execute(db)
  const tries = sql`${sent} cross join generate_series(1, case when (n + k + d) % 7 = 0 then 2 else 1 end) a`
  await sql`insert into delivery_attempts (delivery_id, attempt, started_at, duration_ms, status, error_class, error)
    select ${delivery}, a, at, 120, case when (n + d + c) % 50 = 0 then 500 else 200 end,
      case when (n + d + c) % 50 = 0 then 'http_5xx' end, case when (n + d + c) % 50 = 0 then 'answered 500' end
    from ${tries}`.execute(db)
  await sql`insert into delivery_exchanges (delivery_id, attempt, account_id, started_at, url, request_headers, body_hash,
      response_headers, response_body)
    select ${delivery}, a, ${account(n)}, at, 'https://hooks.customer-' || n || '.example/prices/' || k,
      jsonb_build_object('content-type', 'application/json', 'user-agent', 'Ratecard', 'x-ratecard-signature', md5(n::text) || md5(k::text)),
      sha256(convert_to(n || '-' || d, 'UTF8')), '{"content-type": "text/plain", "date": "Mon, 01 Jan 2031 00:00:00 GMT"}', 'ok'
    from ${tries} where d < ${feedProfile.exchangeDays}`.execute(db)
}

async function fillFeed(db: Db): Promise<void> {
  const { sources, runs, priceVersions, claimVersions, prices } = feedProfile
  await sql`insert into feed_runs (id, source, observed_at, version, outcome, data_at, rows, rejected, changed, created_at)
    select ${id('run', sql`s`, sql`r`)}, 'source-' || s, at, left(md5((r / 6)::text), 12), 'applied', at::date, 3000, 12,
      case when r % 6 = 0 then 3 else 0 end, at
    from generate_series(365 * ${runs}::int, 1, -1) r cross join generate_series(1, ${sources}::int) s
    cross join lateral (select ratecard_now() - r * interval '1 hour' as at) t`.execute(db)
  await sql`insert into feed_sources (source, last_run)
    select 'source-' || s, ${id('run', sql`s`, sql`1`)} from generate_series(1, ${sources}::int) s`.execute(
    db,
  )
  const stated = sql`jsonb_build_object('resource_id', 'platform-' || r || ':model-' || r, 'vendor', 'vendor-' || r % 40,
    'input_per_mtok', '2.5', 'output_per_mtok', '10', 'source_url', 'https://prices.example/' || r, 'naming', repeat('n', 200))`
  await sql`insert into claim_versions (source, resource_key, observed_at, run_id, stated)
    select 'source-' || 1 + (v + r) % ${sources}::int, 'platform:model-' || r, ratecard_now() - v * interval '6 hours' - interval '6 hours',
      ${id('run', sql`1 + (v + r) % ${sources}::int`, sql`v * 6 + 6`)}, ${stated}
    from generate_series(365 * 4 - 2, 0, -1) v cross join generate_series(v % 100 * 30 + 1, v % 100 * 30 + ${Math.round(claimVersions / 4)}::int) r`.execute(
    db,
  )
  await sql`insert into price_versions (resource_id, updated_at, observed_at, record, source)
    select 'platform:model-' || r, ratecard_now() - v * interval '1 day', ratecard_now() - v * interval '1 day', ${stated}, 'source-1'
    from generate_series(365, 0, -1) v cross join generate_series(v % 100 * 30 + 1, v % 100 * 30 + ${priceVersions}::int) r`.execute(
    db,
  )
  await sql`insert into price_versions (resource_id, updated_at, observed_at, record, source)
    select 'platform:model-' || r, ratecard_now() - interval '366 days', ratecard_now() - interval '366 days', ${stated}, 'source-1'
    from generate_series(1, ${prices}::int) r`.execute(db)
  await sql`insert into change_evidence (change_id, resource_id, field, source, source_key, amount, since, last_seen)
    select id, product, 'input_per_mtok', 'source-' || s, product, 1, ratecard_now(), ratecard_now()
    from changes cross join generate_series(1, 3) s`.execute(db)
}
