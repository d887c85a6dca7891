import type { Db } from '../database/connect.ts'
import { findChange } from '../features/changes/change-store.ts'
import { notFound } from '../features/feature-error.ts'
import { resendDelivery } from '../features/webhooks/actions.ts'
import {
  deliveryStates,
  getDelivery,
  listDeliveries,
  listDeliveriesOfChange,
  type DeliveryState,
} from '../features/webhooks/delivery-store.ts'
import { checkAlert } from '../features/webhooks/explain.ts'
import { getWebhook, getWebhookAccount } from '../features/webhooks/webhook-store.ts'
import { choiceArgument, countArgument } from './arguments.ts'
import { actOn, withDatabase, withQueue, type CommandGroup } from './command.ts'
import { print, printList, shortTime, tableOf, type OutputOptions } from './output.ts'

const listMax = 100_000

export const deliveryCommands: CommandGroup = (program) => {
  const deliveries = program
    .command('deliveries')
    .description('Alerts to subscriptions: what was sent, and what came of it')

  deliveries
    .command('list')
    .description('List deliveries, newest first')
    .option('--webhook <id>', 'Only to this subscription')
    .option('--state <state>', deliveryStates.join(', '), choiceArgument(deliveryStates))
    .option('--limit <count>', 'How many at most', countArgument(listMax), 50)
    .action((options: OutputOptions & { webhook?: string; state?: DeliveryState; limit: number }) =>
      withDatabase(async ({ db }) => {
        const { webhook: webhookId, state, limit } = options
        printList(await listDeliveries(db, { webhookId, state, limit }), options, 'No deliveries.', [
          ['id', 'id'],
          ['webhook', 'webhook_id'],
          ['state', 'state'],
          ['attempts', 'attempts'],
          ['changes', (delivery) => delivery.changes.length],
          ['queued (UTC)', (delivery) => shortTime(delivery.created_at)],
          ['next attempt', (delivery) => shortTime(delivery.next_attempt_at)],
        ])
      }),
    )

  deliveries
    .command('show')
    .description('Show a delivery with every attempt')
    .argument('<delivery-id>', 'The delivery, as "deliveries list" names it')
    .action((id: string, options: OutputOptions) =>
      withDatabase(async ({ db }) => {
        const delivery = await getDelivery(db, id)
        print(delivery, options, () =>
          [
            `${delivery.id} to ${delivery.webhook_id}: ${delivery.state}, ${delivery.changes.length} changes, queued ${shortTime(delivery.created_at)} UTC` +
              (delivery.next_attempt_at === null
                ? ''
                : `, next attempt ${shortTime(delivery.next_attempt_at)} UTC`),
            delivery.log.length === 0
              ? 'No attempt yet.'
              : tableOf(delivery.log, [
                  ['attempt', 'attempt'],
                  ['began (UTC)', (attempt) => shortTime(attempt.started_at)],
                  ['ms', 'duration_ms'],
                  ['status', 'status'],
                  ['error', 'error_class'],
                  ['what to do', 'error'],
                ]),
          ].join('\n'),
        )
      }),
    )

  deliveries
    .command('resend')
    .description('Send the same alert to the same subscription again, as a new delivery')
    .argument('<delivery-id>', 'The delivery, as "deliveries list" names it')
    .action((id: string, options: OutputOptions) =>
      withDatabase(async (context) => {
        const { db } = context
        const { account_id: accountId } = await getDelivery(db, id)
        const created = await withQueue(context, (queue) =>
          actOn(db, accountId, (trx, by) => resendDelivery(trx, by, queue, id)),
        )
        print(await getDelivery(db, created.id), options, () => `${created.id} is queued.`)
      }),
    )

  deliveries
    .command('explain')
    .description('Say whether an alert of a change would be sent to a subscription now, and why not')
    .requiredOption('--webhook <id>', 'The subscription')
    .requiredOption('--change <id>', 'The change')
    .action((options: OutputOptions & { webhook: string; change: string }) =>
      withDatabase(async ({ db }) => {
        const explanation = await explainDelivery(db, options.webhook, options.change)
        print(explanation, options, () =>
          [
            explanation.would_send ? 'It would be sent now.' : 'It would not be sent now.',
            tableOf(explanation.checks, [
              ['check', 'id'],
              ['holds', (check) => (check.holds ? 'yes' : 'no')],
              ['because', 'detail'],
            ]),
            ...explanation.deliveries.map(
              (delivery) => `There is ${delivery.id}: ${delivery.state} after ${delivery.attempts} attempts.`,
            ),
          ].join('\n'),
        )
      }),
    )
}

/** Every condition, in the order in which they are asked, and the deliveries that there are. */
async function explainDelivery(db: Db, webhookId: string, changeId: string) {
  const webhook = await getWebhook(db, await getWebhookAccount(db, webhookId), webhookId)
  const change = await findChange(db, changeId)
  if (!change) throw notFound('change', changeId)
  const checks = checkAlert(webhook, change.category).map((check) =>
    check.id === 'active' && !check.holds
      ? { ...check, detail: `${check.detail}; "ratecard webhooks enable ${webhookId}" switches it on` }
      : check,
  )
  return {
    id: webhookId,
    webhook_id: webhookId,
    change_id: changeId,
    would_send: checks.every((check) => check.holds),
    checks,
    deliveries: await listDeliveriesOfChange(db, webhookId, changeId),
  }
}
