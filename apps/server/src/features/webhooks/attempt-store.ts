import type { AlertEvent } from '@ratecard/contract'
import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { deliveryQueues } from '../../queue/job-types.ts'
import { isMoving } from '../accounts/elsewhere.ts'
import { isEntitled, type DeliveryState } from './delivery-store.ts'
import type { Exchange } from './exchange.ts'
import type { SendResult } from './send-webhook.ts'

// The two round trips of an attempt, each for many at once: what it needs to begin, and how it ended.

/** What an attempt needs, as it stands now: address, secret, activity and entitlement are read anew for each. */
export interface AttemptInput {
  delivery_id: string
  alert_id: string
  webhook_id: string
  account_id: string
  /** Attempts finished before this one. */
  attempts: number
  event: AlertEvent
  change_ids: string[]
  public_url: string
  /** When the delivery was queued, in milliseconds since 1970. */
  created_at_ms: number
  url: string | null
  /** The secret that signs now. */
  secret_ciphertext: Buffer | null
  secret_key_id: string | null
  /** One that will sign soon; null: none. */
  next_secret_ciphertext: Buffer | null
  next_secret_key_id: string | null
  standard_headers: boolean
  is_active: boolean
  is_slow: boolean
  is_entitled: boolean
  /** Whether the account is on its way to another cell, which sends it then. */
  is_moving: boolean
}

/** SQL: the secrets of the subscription `w`, as they are at this moment. */
const secretColumns = sql`
  case when w.next_secret_at <= ratecard_now() then w.next_secret_ciphertext else w.secret_ciphertext end
    as secret_ciphertext,
  case when w.next_secret_at <= ratecard_now() then w.next_secret_key_id else w.secret_key_id end as secret_key_id,
  case when w.next_secret_at > ratecard_now() then w.next_secret_ciphertext end as next_secret_ciphertext,
  case when w.next_secret_at > ratecard_now() then w.next_secret_key_id end as next_secret_key_id`

/** The inputs of those of these deliveries that are pending. */
export async function loadAttempts(db: Db, deliveryIds: readonly string[]): Promise<AttemptInput[]> {
  const { rows } = await sql<AttemptInput>`
    select d.id as delivery_id, d.alert_id, d.webhook_id, d.account_id, d.attempts, a.event, a.change_ids,
      a.public_url, (1000 * extract(epoch from d.created_at))::float8 as created_at_ms,
      w.url, ${secretColumns}, coalesce(w.standard_headers, false) as standard_headers,
      coalesce(w.active, false) as is_active, coalesce(w.is_slow, false) as is_slow,
      ${isEntitled('d')} as is_entitled,
      ${isMoving('d')} as is_moving
    from deliveries d
    join alerts a on a.id = d.alert_id
    left join webhooks w on w.id = d.webhook_id
    where d.id = any(${deliveryIds}) and d.state = 'pending'`.execute(db)
  return rows
}

/** Whether a worker is at an attempt for the account: it has the job, and has not written how it ended. */
export async function isAttemptUnderWay(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select from pgboss.job j join deliveries d on d.id = j.data ->> 'deliveryId'
    where j.name in (${sql.join([...deliveryQueues])}) and j.state = 'active' and d.account_id = ${accountId}
    limit 1`.execute(db)
  return rows.length > 0
}

/** How a delivery goes on after an attempt, or without one. */
export interface AttemptEnd {
  deliveryId: string
  webhookId: string
  /** The attempt that ended, from 1; null when the delivery ended without one. */
  attempt: number | null
  /** When it began, in milliseconds since 1970. */
  startedAtMs: number
  result: SendResult | null
  /** What the delivery is now. */
  state: DeliveryState
  /** Set while it is pending. */
  nextDelayMs: number | null
}

export interface SwitchOffRule {
  /** A subscription without success for this long … */
  afterDays: number
  /** … and with this many deliveries given up is switched off. */
  exhaustedMin: number
}

/**
 * Records how attempts ended, each once: an attempt counts only while the delivery is at the number where it began, so
 * a worker that was given up for dead cannot overwrite what came after it. Returns the deliveries that were recorded.
 */
export async function finishAttempts(
  trx: Trx,
  ends: readonly AttemptEnd[],
  rule: SwitchOffRule,
): Promise<Set<string>> {
  const rows = ends.map(({ deliveryId, webhookId, attempt, startedAtMs, result, state, nextDelayMs }) => ({
    delivery_id: deliveryId,
    webhook_id: webhookId,
    attempt,
    started_at: new Date(startedAtMs).toISOString(),
    duration_ms: result?.durationMs ?? 0,
    status: result?.status ?? null,
    error_class: result?.errorClass ?? null,
    error: result?.error ?? null,
    ...exchangeColumns(result?.exchange),
    state,
    next_delay_ms: nextDelayMs,
  }))
  const { rows: recorded } = await sql<{ id: string }>`
    with ended as materialized (
      select distinct on (delivery_id) * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as ended (
        delivery_id text, webhook_id text, attempt integer, started_at timestamptz, duration_ms integer,
        status integer, error_class text, error text, state text, next_delay_ms bigint,
        url text, request_headers jsonb, body_hash text, response_headers jsonb, response_body text,
        response_is_cut boolean)
      order by delivery_id, started_at
    ), recorded as (
      update deliveries d set
        state = e.state,
        attempts = coalesce(e.attempt, d.attempts),
        next_attempt_at = ratecard_now() + e.next_delay_ms * interval '1 millisecond',
        finished_at = case when e.state <> 'pending' then ratecard_now() end
      from ended e
      where d.id = e.delivery_id and d.state = 'pending' and d.attempts = coalesce(e.attempt - 1, d.attempts)
      -- Returns all that is used below: nothing joins batches with each other, which would be a loop over both.
      returning e.*, d.account_id
    ), logged as (
      insert into delivery_attempts (delivery_id, attempt, started_at, duration_ms, status, error_class, error)
      select delivery_id, attempt, started_at, duration_ms, status, error_class, error
      from recorded where attempt is not null
    ), kept as (
      insert into delivery_exchanges (delivery_id, attempt, account_id, started_at, url, request_headers, body_hash,
        response_headers, response_body, response_is_cut)
      select delivery_id, attempt, account_id, started_at, url, request_headers, decode(body_hash, 'hex'),
        response_headers, response_body, response_is_cut
      from recorded where attempt is not null and url is not null
    ), latest as (
      -- Several deliveries to one subscription may have ended together: the attempt that began last decides its record.
      select distinct on (e.webhook_id) e.webhook_id, e.started_at, e.status, e.error_class, e.error,
        bool_or(e.error_class is null) over w as any_success,
        -- No answer is no 410.
        coalesce(bool_or(e.status = 410) over w, false) as any_gone,
        count(*) filter (where e.state = 'exhausted') over w as exhausted
      from recorded e
      where e.attempt is not null
      window w as (partition by e.webhook_id)
      order by e.webhook_id, e.started_at desc
    ), locked as (
      -- In one order for all workers: they never wait for each other in a circle.
      select w.id from webhooks w join latest l on l.webhook_id = w.id order by w.id for no key update of w
    ), standing as (
      update webhooks w set
        last_attempt_at = greatest(w.last_attempt_at, l.started_at),
        last_status = case when l.started_at >= coalesce(w.last_attempt_at, l.started_at) then l.status else w.last_status end,
        last_error = case when l.started_at >= coalesce(w.last_attempt_at, l.started_at)
          then l.error_class || ': ' || l.error else w.last_error end,
        is_slow = case when l.started_at >= coalesce(w.last_attempt_at, l.started_at)
          then l.error_class is not distinct from 'timeout' else w.is_slow end,
        last_success_at = case when l.any_success then ratecard_now() else w.last_success_at end,
        failing_since = case when l.any_success then ratecard_now() else w.failing_since end,
        exhausted_count = case when l.any_success then 0 else w.exhausted_count + l.exhausted end,
        active = w.active and not l.any_gone and (l.any_success
          or w.exhausted_count + l.exhausted < ${rule.exhaustedMin}
          or w.failing_since > ratecard_now() - make_interval(days => ${rule.afterDays})),
        updated_at = ratecard_now()
      from latest l
      where w.id = l.webhook_id
        -- Always true, and all are locked by then. As a condition on each row it would be a loop over both.
        and (select count(*) from locked) >= 0
    )
    select delivery_id as id from recorded`.execute(trx)
  return new Set(recorded.map((row) => row.id))
}

function exchangeColumns(exchange: Exchange | undefined) {
  if (!exchange) return {}
  const { url, requestHeaders, bodyHash, answer } = exchange
  return {
    url,
    request_headers: requestHeaders,
    body_hash: bodyHash,
    response_headers: answer?.headers ?? null,
    response_body: answer?.body ?? null,
    response_is_cut: answer?.isCut ?? false,
  }
}
