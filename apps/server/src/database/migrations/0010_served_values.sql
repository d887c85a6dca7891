-- What the contract demands of a served value is checked where it comes in. These hold whatever else writes.

-- A link is an http or https address as RFC 3986 has it, without user information.
create function ratecard_is_web_address(address text) returns boolean
  language sql immutable parallel safe
  return length(address) <= 2048
    and address ~ '^https?://[A-Za-z0-9._~!$&''()*+,;=:\[\]-]+(/([A-Za-z0-9._~!$&''()*+,;=:@/-]|%[0-9A-Fa-f]{2})*)?(\?([A-Za-z0-9._~!$&''()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?(#([A-Za-z0-9._~!$&''()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$';

-- Links of earlier imports that are none. A page with one of them was never served, so nobody has seen it, and
-- `updated_at` stays. The next run of its source brings what can be encoded.
update prices set source_url = null where not ratecard_is_web_address(source_url);
update changes set source_url = null where not ratecard_is_web_address(source_url);
update feed_records set
  stated = case when ratecard_is_web_address(stated ->> 'source_url') is false
    then jsonb_set(stated, '{source_url}', 'null') else stated end,
  accepted = case when ratecard_is_web_address(accepted ->> 'source_url') is false
    then jsonb_set(accepted, '{source_url}', 'null') else accepted end
where ratecard_is_web_address(stated ->> 'source_url') is false
  or ratecard_is_web_address(accepted ->> 'source_url') is false;

-- Dates of operators with another offset, or without microseconds. What is none counts as not said.
create function ratecard_utc_text(instant text) returns text
  language sql stable
  return case when instant ~ '^[12]\d{3}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-][01]\d:[0-5]\d)$'
    then to_char(instant::timestamptz at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') end;
update prices set effective_at = ratecard_utc_text(effective_at)
where effective_at !~ '^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}\.\d{6}Z)?$';
update feed_records set
  stated = jsonb_set(stated, '{effective_at}',
    coalesce(to_jsonb(ratecard_utc_text(stated ->> 'effective_at')), 'null')),
  accepted = jsonb_set(accepted, '{effective_at}',
    coalesce(to_jsonb(ratecard_utc_text(accepted ->> 'effective_at')), 'null'))
where stated ->> 'effective_at' !~ '^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}\.\d{6}Z)?$';
drop function ratecard_utc_text;

-- Not valid: a row that has stood there for long must not keep a server from starting. Pages leave it out.
alter table prices
  add constraint prices_shown check (
    resource_id <> '' and vendor <> ''
    and (source_url is null or ratecard_is_web_address(source_url))
    and (effective_at is null or effective_at ~ '^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}\.\d{6}Z)?$')
    and updated_at < '9999-12-31'
  ) not valid,
  -- PostgreSQL's NaN is no number in JSON, and larger than all others.
  add constraint prices_amounts check (
    coalesce(input_per_mtok, 0) < 'NaN' and coalesce(output_per_mtok, 0) < 'NaN'
    and coalesce(cached_input_per_mtok, 0) < 'NaN' and coalesce(image_per_unit, 0) < 'NaN'
    and coalesce(audio_per_min, 0) < 'NaN' and coalesce(video_per_sec, 0) < 'NaN'
  ) not valid;

alter table changes
  add constraint changes_shown check (
    id <> '' and vendor <> '' and product <> '' and modality <> '' and category <> ''
    and char_length(title) <= 200 and char_length(summary) <= 4000
    and (source_url is null or ratecard_is_web_address(source_url))
    and updated_at < '9999-12-31'
  ) not valid;
