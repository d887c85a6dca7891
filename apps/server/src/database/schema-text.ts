import { sql } from 'kysely'
import type { Db } from './connect.ts'

/**
 * The statements that make the current schema as it is, in the order of names, each with those of its indexes. From the
 * catalogue, because the embedded PostgreSQL comes without pg_dump.
 */
export async function readStatements(db: Db): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    with objects as (
      select oid, relname, relkind, reloptions from pg_class
      where relnamespace = current_schema()::regnamespace and relname not like 'kysely_%'
    ), parts as (
      select attrelid as relation, 1 as rank, attnum::int as position, concat(
        quote_ident(attname), ' ', format_type(atttypid, atttypmod),
        case when attcollation <> typcollation then ' collate ' || attcollation::regcollation end,
        case attgenerated
          when 's' then ' generated always as (' || pg_get_expr(adbin, adrelid) || ') stored'
          else ' default ' || pg_get_expr(adbin, adrelid)
        end,
        case when attnotnull then ' not null' end) as text
      from pg_attribute
      join pg_type on pg_type.oid = atttypid
      left join pg_attrdef on (adrelid, adnum) = (attrelid, attnum)
      where attnum > 0 and not attisdropped
      union all
      select conrelid, 2, row_number() over (order by contype desc, conname)::int,
        format('constraint %I %s', conname, pg_get_constraintdef(oid))
      from pg_constraint where contype in ('p', 'u', 'f', 'c')
    ), statements as (
      select 1 as rank, proname as name, 1 as part,
        rtrim(pg_get_functiondef(oid), E'\n') as text
      from pg_proc where pronamespace = current_schema()::regnamespace
      union all
      select 2, relname, 1, format('create table %I (%s)%s', relname,
        (select string_agg(E'\n  ' || text, ',' order by rank, position) || E'\n' from parts where relation = oid),
        ' with (' || array_to_string(reloptions, ', ') || ')')
      from objects where relkind = 'r'
      union all
      select 2, relname, 2, format('comment on table %I is %L', relname, obj_description(oid, 'pg_class'))
      from objects where relkind = 'r' and obj_description(oid, 'pg_class') is not null
      union all
      select 2, o.relname, 3, string_agg(pg_get_indexdef(indexrelid), E';\n' order by i.relname)
      from objects o join pg_index on indrelid = o.oid join pg_class i on i.oid = indexrelid
      where not exists (select from pg_constraint where conindid = indexrelid and conrelid = o.oid)
      group by o.relname
      union all
      select 2, relname, 4, pg_get_statisticsobjdef(s.oid) || format(E';\nalter statistics %I set statistics %s', stxname, stxstattarget)
      from objects o join pg_statistic_ext s on stxrelid = o.oid
      union all
      select 2, relname, 5, pg_get_triggerdef(t.oid) from objects o join pg_trigger t on tgrelid = o.oid and not tgisinternal
      union all
      select 3, relname, 1, format(E'create view %I as\n%s', relname, rtrim(pg_get_viewdef(oid, true), ';'))
      from objects where relkind = 'v'
    )
    select text || ';' as text from statements order by rank, name collate "C", part`.execute(db)
  return rows.map(({ text }) => text)
}
