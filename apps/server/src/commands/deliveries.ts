import type { Db } from '../database/connect.ts'
import { findChange } from '../features/changes/change-store.ts'
import { notFound } from '../features/feature-error.ts'
import { resendDelivery, resendFailed } from '../features/webhooks/actions.ts'
import {
  DeliveryState,
  getDelivery,
  listDeliveries,
  listDeliveriesOfChange,
  readTitles,
} from '../features/webhooks/delivery-store.ts'
import { exchangeDays, exchangesPerAccountMax, readExchanges } from '../features/webhooks/exchange-store.ts'
import { checkAlert } from '../features/webhooks/explain.ts'
import { getWebhook, getWebhookAccount, listWebhooks } from '../features/webhooks/webhook-store.ts'
import { UserError } from '../platform/user-error.ts'
import { choiceArgument, countArgument, timeArgument } from './arguments.ts'
import { deliveryLines, exchangeLines, withExchanges } from './delivery-text.ts'
import { actOn, withQueue, type CommandGroup, type WorkContext } from './command.ts'
import { cutAt, print, printCut, shortTime, formatTable, type OutputOptions } from './output.ts'

const listMax = 100_000

export const deliveryCommands: CommandGroup = (program) => {
  const deliveries = program
    .command('deliveries')
    .description('Alerts to subscriptions: what was sent, and what came of it')

  deliveries
    .command('list')
    .description('List deliveries, newest first')
    .option('--webhook <id>', 'Only to this subscription')
    .option('--state <state>', DeliveryState.options.join(', '), choiceArgument(DeliveryState.options))
    .option('--limit <count>', 'How many at most', countArgument(listMax), 50)
    .onDatabase(
      async ({ db }, options: OutputOptions & { webhook?: string; state?: DeliveryState; limit: number }) => {
        const { webhook: webhookId, state, limit } = options
        const rows = await listDeliveries(db, { webhookId, state, limit: limit + 1 })
        printCut(cutAt(rows, limit, listMax), options, 'No deliveries.', [
          'id',
          ['webhook', 'webhook_id'],
          'state',
          'attempts',
          ['changes', (delivery) => delivery.changes.length],
          ['queued (UTC)', (delivery) => shortTime(delivery.created_at)],
          ['next attempt', (delivery) => shortTime(delivery.next_attempt_at)],
        ])
      },
    )

  deliveries
    .command('show')
    .description('Show a delivery with every attempt: what was sent, and what came back')
    .argument('<delivery-id>', 'The delivery, as "deliveries list" names it')
    .notes(
      `
What attempts sent and got is kept for ${exchangeDays} days, of the latest ${exchangesPerAccountMax} attempts of an account. Secrets are never shown.`,
    )
    .onDatabase(async ({ db }, id: string, options: OutputOptions) => {
      const delivery = await getDelivery(db, id)
      const exchanges = await readExchanges(db, { id })
      const titles = await readTitles(db, delivery.changes)
      print(withExchanges(delivery, exchanges), options, () =>
        [...deliveryLines(delivery, titles), ...exchangeLines(exchanges)].join('\n'),
      )
    })

  deliveries
    .command('resend')
    .description('Send the same alert to the same subscription again, as a new delivery')
    .argument('[delivery-id]', 'The delivery, as "deliveries list" names it')
    .option('--failed', 'All that failed and is not on its way again, instead of one')
    .option('--webhook <id>', 'With --failed: at this subscription')
    .option('--account <id>', "With --failed: at the account's subscriptions")
    .option('--since <time>', 'With --failed: made at this time or later, or on this day (UTC)', timeArgument)
    .onDatabase(async (context, id: string | undefined, options: ResendOptions) => {
      requireOneWay(id, options)
      if (id === undefined) return resendAllFailed(context, options)
      const { db } = context
      const { account_id: accountId } = await getDelivery(db, id)
      const created = await withQueue(context, (queue) =>
        actOn(db, accountId, (trx, by) => resendDelivery(trx, by, queue, id)),
      )
      print(await getDelivery(db, created.id), options, () => `${created.id} is queued.`)
    })

  deliveries
    .command('explain')
    .description('Say whether an alert of a change would be sent to a subscription now, and why not')
    .requiredOption('--webhook <id>', 'The subscription')
    .requiredOption('--change <id>', 'The change')
    .onDatabase(async ({ db }, options: OutputOptions & { webhook: string; change: string }) => {
      const explanation = await explainDelivery(db, options.webhook, options.change)
      print(explanation, options, () =>
        [
          explanation.would_send ? 'It would be sent now.' : 'It would not be sent now.',
          formatTable(explanation.checks, [
            ['check', 'id'],
            ['holds', (check) => (check.holds ? 'yes' : 'no')],
            ['because', 'detail'],
          ]),
          ...explanation.deliveries.map(
            (delivery) => `There is ${delivery.id}: ${delivery.state} after ${delivery.attempts} attempts.`,
          ),
        ].join('\n'),
      )
    })
}

interface ResendOptions extends OutputOptions {
  failed?: boolean
  webhook?: string
  account?: string
  since?: string
}

function requireOneWay(id: string | undefined, { failed = false, webhook, account, since }: ResendOptions) {
  const ofMany = webhook !== undefined || account !== undefined || since !== undefined
  if (failed ? id !== undefined : id === undefined || ofMany)
    throw new UserError('Name one delivery, or give --failed with --webhook or --account.')
  if (failed && (webhook === undefined) === (account === undefined))
    throw new UserError(
      'With --failed, say where: --webhook ID, or --account ID for all of its subscriptions.',
    )
}

/** A transaction for each hundred: a worker begins with the first while the others are queued. */
async function resendAllFailed(context: WorkContext, options: ResendOptions): Promise<void> {
  const { db } = context
  const { webhook, since = null } = options
  const accountId = webhook === undefined ? options.account! : await getWebhookAccount(db, webhook)
  const webhookIds =
    webhook === undefined ? (await listWebhooks(db, accountId)).map(({ id }) => id) : [webhook]
  const resent = await withQueue(context, async (queue) => {
    const created: string[] = []
    for (const webhookId of webhookIds) {
      for (let left = 1; left > 0;) {
        const batch = await actOn(db, accountId, (trx, by) =>
          resendFailed(trx, by, queue, { webhookId, since }),
        )
        left = batch.left
        created.push(...batch.deliveries.map(({ id }) => id))
      }
    }
    return created
  })
  print({ account_id: accountId, deliveries: resent }, options, () =>
    resent.length === 0
      ? 'Nothing failed that is not on its way again.'
      : `${resent.length} deliveries are queued.`,
  )
}

/** Every condition, in the order in which they are asked, and the deliveries that there are. */
async function explainDelivery(db: Db, webhookId: string, changeId: string) {
  const webhook = await getWebhook(db, await getWebhookAccount(db, webhookId), webhookId)
  const change = await findChange(db, changeId)
  if (!change) throw notFound('change', changeId)
  const checks = checkAlert(webhook, change).map((check) =>
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
