import { InvalidArgumentError } from 'commander'
import { insertAuditEntry } from '../features/members/audit-store.ts'
import {
  deliveryStates,
  getDelivery,
  listDeliveries,
  type DeliveryState,
} from '../features/webhooks/delivery-store.ts'
import { explainDelivery } from '../features/webhooks/explain.ts'
import { getWebhook } from '../features/webhooks/operate-webhooks.ts'
import { resendDelivery } from '../features/webhooks/resend.ts'
import { countArgument } from './arguments.ts'
import { withDatabase, withQueue, type CommandGroup } from './command.ts'
import { print, printList, shortTime, tableOf, type OutputOptions } from './output.ts'

const listMax = 100_000

function stateArgument(text: string): DeliveryState {
  const state = deliveryStates.find((name) => name === text)
  if (!state) throw new InvalidArgumentError(`Give one of ${deliveryStates.join(', ')}.`)
  return state
}

export const deliveryCommands: CommandGroup = (program) => {
  const deliveries = program
    .command('deliveries')
    .description('Alerts to subscriptions: what was sent, and what came of it')

  deliveries
    .command('list')
    .description('List deliveries, newest first')
    .option('--webhook <id>', 'Only to this subscription')
    .option('--state <state>', deliveryStates.join(', '), stateArgument)
    .option('--limit <count>', 'How many at most', countArgument(listMax), 50)
    .action((options: OutputOptions & { webhook?: string; state?: DeliveryState; limit: number }) =>
      withDatabase(async ({ db }) => {
        const { webhook: webhookId, state, limit } = options
        printList(
          await listDeliveries(db, { webhookId, state, limit }),
          { ...options, empty: 'No deliveries.' },
          [
            ['id', 'id'],
            ['webhook', 'webhook_id'],
            ['state', 'state'],
            ['attempts', 'attempts'],
            ['changes', (delivery) => delivery.changes.length],
            ['queued (UTC)', (delivery) => shortTime(delivery.created_at)],
            ['next attempt', (delivery) => shortTime(delivery.next_attempt_at)],
          ],
        )
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
        const created = await withQueue(context, (queue) =>
          db.transaction().execute(async (trx) => {
            const delivery = await resendDelivery(trx, queue, id)
            const { account_id: accountId } = await getWebhook(trx, delivery.webhookId)
            await insertAuditEntry(trx, {
              accountId,
              actor: { kind: 'operator' },
              action: 'delivery.resent',
              subjectId: id,
              details: { new_delivery: delivery.id, webhook: delivery.webhookId },
            })
            return delivery
          }),
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
        print({ id: explanation.webhook_id, ...explanation }, options, () =>
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
