import type { LoggedDelivery } from '../features/webhooks/delivery-store.ts'
import type { StoredExchange } from '../features/webhooks/exchange-store.ts'
import { shortTime, formatTable } from './output.ts'

/** A delivery as a document: each attempt with what it sent and got, null where that is forgotten. */
export function withExchanges(delivery: LoggedDelivery, exchanges: readonly StoredExchange[]) {
  const byAttempt = new Map(exchanges.map(({ attempt, ...exchange }) => [attempt, exchange]))
  const log = delivery.log.map((attempt) => {
    return { ...attempt, exchange: byAttempt.get(attempt.attempt) ?? null }
  })
  return { ...delivery, log }
}

/** A delivery, its changes and its attempts. */
export function deliveryLines(delivery: LoggedDelivery, titles: ReadonlyMap<string, string>): string[] {
  const { id, webhook_id, state, changes, created_at, next_attempt_at, resent_from, resent_as, log } =
    delivery
  const next = next_attempt_at === null ? '' : `, next attempt ${shortTime(next_attempt_at)} UTC`
  return [
    `${id} to ${webhook_id}: ${state}, ${changes.length} changes, queued ${shortTime(created_at)} UTC${next}`,
    ...(resent_from === null ? [] : [`It sends ${resent_from} again.`]),
    ...(resent_as === null ? [] : [`It was sent again as ${resent_as}.`]),
    formatTable(
      changes.map((change) => ({ change, title: titles.get(change) })),
      ['change', 'title'],
    ),
    log.length === 0
      ? 'No attempt yet.'
      : formatTable(log, [
          'attempt',
          ['began (UTC)', (attempt) => shortTime(attempt.started_at)],
          ['ms', 'duration_ms'],
          'status',
          ['error', 'error_class'],
          ['what to do', 'error'],
        ]),
  ]
}

/** What each attempt sent and got. The bodies differ in their time and nothing else: that of the last one is shown. */
export function exchangeLines(exchanges: readonly StoredExchange[]): string[] {
  return exchanges.flatMap((exchange, index) => [
    '',
    `Attempt ${exchange.attempt}: POST ${exchange.url}`,
    ...headerLines('> ', exchange.request_headers),
    ...(index === exchanges.length - 1
      ? ['>', `> ${exchange.body ?? '(the body cannot be shown as it was sent: a change of it is gone)'}`]
      : []),
    ...answerLines(exchange),
  ])
}

function answerLines({ response_headers, response_body, response_is_cut }: StoredExchange): string[] {
  if (response_headers === null) return ['< no answer']
  const body = response_body ? response_body.split('\n').map((line) => `< ${line}`) : []
  return [
    ...headerLines('< ', response_headers),
    ...(body.length > 0 ? ['<', ...body] : []),
    ...(response_is_cut ? ['< … (more is not kept)'] : []),
  ]
}

function headerLines(prefix: string, headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `${prefix}${name}: ${value}`)
}
