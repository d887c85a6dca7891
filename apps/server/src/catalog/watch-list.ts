import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'
import { utcText } from '../database/keyset.ts'
import type { AmountColumn, DecimalText } from './price-record.ts'

type Amounts = Record<AmountColumn, DecimalText | null>

/** A product, or a vendor with all its products. */
export interface WatchedThing {
  kind: 'product' | 'vendor'
  /** As changes name it: of a record that no product is known of, its resource. */
  name: string
}

/** The list of a user in an account. */
export interface Watcher {
  accountId: string
  userId: string
}

/** Something that is watched, with what there is to know of it today. */
export interface WatchedItem extends WatchedThing {
  watched_since: string
  /** The maker; of a vendor itself; null: no price names it any more. */
  vendor: string | null
  /** How many products, platforms and records it has prices of. */
  products: number
  platforms: number
  records: number
  /** Of a product, where it costs least; null: no source states an amount. */
  cheapest: (Amounts & { resource_id: string; platform: string; currency: string | null }) | null
  last_change: { id: string; title: string; severity: number; at: string } | null
  /** The next price that is announced. */
  announced: (Partial<Amounts> & { resource_id: string; starts_on: string; currency: string | null }) | null
  /** The day on which a first of its models is retired, `YYYY-MM-DD`. */
  retires_on: string | null
}

const today = sql`(ratecard_now() at time zone 'UTC')::date`
const amounts = sql`
  trim_scale(input_per_mtok)::text as input_per_mtok, trim_scale(output_per_mtok)::text as output_per_mtok,
  trim_scale(cached_input_per_mtok)::text as cached_input_per_mtok,
  trim_scale(image_per_unit)::text as image_per_unit, trim_scale(audio_per_min)::text as audio_per_min,
  trim_scale(video_per_sec)::text as video_per_sec`

/** The watch list of a user in an account: products first, by name. */
export async function listWatched(db: Db, { accountId, userId }: Watcher): Promise<WatchedItem[]> {
  const { rows } = await sql<WatchedItem>`
    with watched as materialized (
      select kind, name, created_at from watches where account_id = ${accountId} and user_id = ${userId}
    ), priced as materialized (
      -- One walk of an index for each way in which a price has a name.
      select w.kind, w.name, p.* from watched w join prices p on p.product_id = w.name where w.kind = 'product'
      union all
      select w.kind, w.name, p.* from watched w join prices p on p.resource_id = w.name
      where w.kind = 'product' and p.product_id is null
      union all
      select w.kind, w.name, p.* from watched w join prices p on p.vendor = w.name where w.kind = 'vendor'
    ), counted as (
      select kind, name, min(vendor) as vendor, count(distinct product_id)::int as products,
        count(distinct coalesce(platform, split_part(resource_id, ':', 1)))::int as platforms,
        count(*)::int as records, min(s.retires_on) filter (where s.retires_on >= ${today}) as retires_on
      from priced left join price_standings s using (resource_id)
      group by kind, name
    ), cheapest as (
      -- Three input tokens to one output token, as the pages compare models. US dollars before what cannot be compared.
      select distinct on (p.name) p.name, jsonb_build_object(
        'resource_id', p.resource_id, 'platform', coalesce(p.platform, split_part(p.resource_id, ':', 1)),
        'currency', p.currency) || to_jsonb(a) as price
      from priced p left join price_standings s on s.resource_id = p.resource_id
      cross join lateral (select ${amounts}) a
      where p.kind = 'product' and s.gone_since is null
        and coalesce(p.input_per_mtok, p.output_per_mtok, p.image_per_unit, p.audio_per_min, p.video_per_sec) is not null
      order by p.name, (p.currency is distinct from 'USD'), p.currency, (3 * p.input_per_mtok + p.output_per_mtok),
        p.input_per_mtok, p.image_per_unit, p.audio_per_min, p.video_per_sec, p.resource_id
    ), announced as (
      select distinct on (p.kind, p.name) p.kind, p.name, jsonb_build_object(
        'resource_id', a.resource_id, 'starts_on', a.starts_on, 'currency', p.currency) || a.amounts as price
      from scheduled_prices a join priced p on p.resource_id = a.resource_id
      where a.starts_on > ${today}
      order by p.kind, p.name, a.starts_on, a.resource_id
    )
    select w.kind, w.name, ${utcText('w.created_at')} as watched_since,
      case w.kind when 'vendor' then w.name else coalesce(c.vendor, last.vendor) end as vendor,
      coalesce(c.products, 0) as products, coalesce(c.platforms, 0) as platforms, coalesce(c.records, 0) as records,
      c.retires_on::text as retires_on, cheapest.price as cheapest, announced.price as announced, last.change as last_change
    from watched w
    left join counted c on c.kind = w.kind and c.name = w.name
    left join cheapest on w.kind = 'product' and cheapest.name = w.name
    left join announced on announced.kind = w.kind and announced.name = w.name
    left join lateral (
      select vendor, jsonb_build_object('id', id, 'title', title, 'severity', severity, 'at', at) as change
      from (
        (select vendor, id, title, severity, updated_at, ${utcText('created_at')} as at from changes
         where w.kind = 'product' and product = w.name and category <> 'incident'
         order by updated_at desc, id desc limit 1)
        union all
        (select vendor, id, title, severity, updated_at, ${utcText('created_at')} as at from changes
         where w.kind = 'vendor' and vendor = w.name and category <> 'incident'
         order by updated_at desc, id desc limit 1)
      ) latest
    ) last on true
    order by w.kind, w.name`.execute(db)
  return rows
}
