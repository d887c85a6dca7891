import { sql } from 'kysely'
import type { Trx } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'
import { dailyLimits } from '../entitlements/plans.ts'
import { plansInOrder } from '../metering/unit-store.ts'
import { insertNotices } from './notice-store.ts'

// What is decided by counters, packs and endpoints as they stand: each is found again at every look, and told once.

export interface DecideOptions {
  canMail: boolean
}

const warnPercent = 80

/**
 * Keys that have used most of the day's quota, or all of it. At the end only that is told. Reads the counters of today
 * and locks none: a reservation waits for nothing here.
 */
export async function decideQuotas(trx: Trx, { canMail }: DecideOptions): Promise<number> {
  const inOrder = plansInOrder.map((plan) => dailyLimits[plan])
  const leastUsed = Math.floor((Math.min(...inOrder) * warnPercent) / 100)
  return insertNotices(
    trx,
    sql`
      select k.account_id, null::text as user_id, step.event, k.quota_subject || ' ' || d.day as period,
        jsonb_build_object('key_id', k.id, 'key_name', k.name, 'last_four', k.last_four,
          'used', d.plan_used, 'limit', l.daily_limit, 'pack_units', p.units) as facts
      from (select ratecard_now() as now) clock
      join usage_days d
        on (d.day - date '2000-01-01') = ((clock.now at time zone 'UTC')::date - date '2000-01-01')
        and d.plan_used >= ${leastUsed}
      join api_keys first on first.id = d.quota_subject
      cross join lateral (
        -- The newest of the keys that share the counter, by which people know it.
        select k.* from api_keys k
        where k.account_id = first.account_id and k.quota_subject = d.quota_subject
          and (k.ends_at is null or k.ends_at > clock.now)
        order by k.created_at desc, k.id desc limit 1
      ) k
      cross join lateral (
        select daily_limit(${inOrder}::int[], 1 | coalesce(bit_or(plan_bit(s.plan)), 0)) as daily_limit
        from subscriptions s where s.account_id = k.account_id and is_current(s, clock.now)
      ) l
      cross join lateral (
        select case when d.plan_used >= l.daily_limit then 'quota_used_up' else 'quota_80' end as event
      ) step
      cross join lateral (
        select coalesce(sum(remaining), 0)::int as units from packs
        where account_id = k.account_id and remaining > 0 and expires_at > clock.now
      ) p
      where d.plan_used::bigint * 100 >= l.daily_limit::bigint * ${warnPercent}`,
    { canMail },
  )
}

const lowShare = 10
const endingDays = 7

/** Packs of which a tenth is left, or nothing, and packs that end in a week with something left. */
export async function decidePacks(trx: Trx, { canMail }: DecideOptions): Promise<number> {
  return insertNotices(
    trx,
    sql`
      select account_id, null::text as user_id,
        case when remaining = 0 then 'packs_used_up' else 'packs_low' end as event,
        -- Another pack is another beginning.
        newest as period, jsonb_build_object('units', units, 'remaining', remaining) as facts
      from (
        select account_id, sum(units) as units, sum(remaining) as remaining,
          (array_agg(id order by purchased_at desc, id desc))[1] as newest
        from packs where expires_at > ratecard_now()
        group by account_id
      ) live
      where remaining * ${lowShare} <= units
      union all
      select account_id, null, 'packs_ending', (expires_at at time zone 'UTC')::date::text,
        jsonb_build_object('packs', count(*), 'remaining', sum(remaining), 'ends_at', ${utcText(sql`min(expires_at)`)})
      from packs
      where remaining > 0 and expires_at > ratecard_now()
        and expires_at <= ratecard_now() + make_interval(days => ${endingDays})
        -- Who bought it yesterday knows when it ends.
        and purchased_at <= ratecard_now() - interval '1 day'
      group by account_id, (expires_at at time zone 'UTC')::date`,
    { canMail },
  )
}

const expiringDays = 7

/** Keys that expire in a week. */
export async function decideKeys(trx: Trx, { canMail }: DecideOptions): Promise<number> {
  return insertNotices(
    trx,
    sql`
      select account_id, null::text as user_id, 'key_expiring' as event, id as period,
        jsonb_build_object('key_id', id, 'key_name', name, 'last_four', last_four,
          'expires_at', ${utcText('expires_at')}) as facts
      from api_keys
      where expires_at > ratecard_now() and expires_at <= ratecard_now() + make_interval(days => ${expiringDays})
        -- One that was revoked, or rotated and has its time of grace, ends by that.
        and (revoked_at is null or revoked_at > expires_at)
        -- Who made it yesterday knows when it expires.
        and created_at <= ratecard_now() - interval '1 day'`,
    { canMail },
  )
}

/** Endpoints that were switched off by their failures, and those that have failed for a day. */
export async function decideWebhooks(trx: Trx, { canMail }: DecideOptions): Promise<number> {
  return insertNotices(
    trx,
    sql`
      select w.account_id, null::text as user_id,
        case when w.active then 'webhook_failing' else 'webhook_off' end as event,
        -- A success, another address and switching it on are another beginning.
        w.id || ' ' || ${utcText('w.failing_since')} as period,
        jsonb_build_object('webhook_id', w.id, 'host', coalesce(substring(w.url from '^https?://([^/?#]+)'), ''),
          'since', ${utcText(sql`coalesce(failed.since, w.failing_since)`)}, 'error', w.last_error) as facts
      from webhooks w
      left join lateral (
        select d.created_at as since from deliveries d
        where d.webhook_id = w.id and d.account_id = w.account_id and d.created_at > w.failing_since
          and d.attempts > 0 and d.state in ('pending', 'exhausted')
        order by d.created_at limit 1
      ) failed on true
      where w.last_error is not null and case
        when w.active then failed.since <= ratecard_now() - interval '1 day'
        else w.updated_at > ratecard_now() - interval '2 days'
          -- Somebody who switched it off knows.
          and (
            select e.details ->> 'active' from audit_entries e
            where e.account_id = w.account_id and e.subject_id = w.id and e.action = 'webhook.updated'
              and e.at >= w.failing_since and e.details ? 'active'
            order by e.at desc limit 1
          ) is distinct from 'off'
      end`,
    { canMail },
  )
}
