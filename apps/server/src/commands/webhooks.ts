import { formatFilter } from '@ratecard/contract/wording'
import { Argument, InvalidArgumentError, Option } from 'commander'
import type { Db, Trx } from '../database/connect.ts'
import { asOperator, type Acting } from '../features/audit/audit-store.ts'
import { readTerms } from '../features/entitlements/account-terms.ts'
import type { PlanTerms } from '../features/entitlements/plans.ts'
import { authPurpose } from '../features/members/auth.ts'
import { resealSecondFactors } from '../features/members/second-factor-store.ts'
import * as actions from '../features/webhooks/actions.ts'
import { createBodyCheck } from '../features/webhooks/alert-schema.ts'
import { inert } from '../features/webhooks/exchange.ts'
import type { WebhookFilter } from '../features/webhooks/filter.ts'
import { previewFilter } from '../features/webhooks/filter-preview.ts'
import { abandonSecrets, resealSecrets } from '../features/webhooks/reseal-secrets.ts'
import {
  getSendableWebhook,
  getWebhook,
  getWebhookAccount,
  listWebhooks,
  publicWebhook,
} from '../features/webhooks/webhook-store.ts'
import { publicUrl } from '../platform/config.ts'
import { loadContract } from '../platform/contract.ts'
import { UserError } from '../platform/user-error.ts'
import { countArgument } from './arguments.ts'
import { actOn, say, type AccountOptions, type CommandGroup } from './command.ts'
import { print, printList, type OutputOptions } from './output.ts'

export const webhookCommands: CommandGroup = (program) => {
  const webhooks = program.command('webhooks').description("Customers' endpoints for change alerts")

  webhooks
    .command('list')
    .description("List an account's subscriptions, without their secrets")
    .requiredOption('--account <id>', 'Account that owns them')
    .onAccount(async ({ db, accountId }, options: AccountOptions) => {
      const rows = (await listWebhooks(db, accountId)).map((record) => {
        const { name, filter, standard_headers, next_secret_at } = record
        return { ...publicWebhook(record), name, filter, standard_headers, next_secret_at }
      })
      printList(rows, options, 'No webhooks.', [
        'id',
        'name',
        'url',
        ['filter', (webhook) => formatFilter(webhook.filter)],
        ['events', (webhook) => webhook.events.join(', ')],
        ['active', (webhook) => (webhook.active ? 'yes' : 'no')],
        ['standard headers', (webhook) => (webhook.standard_headers ? 'yes' : 'no')],
        ['last status', 'last_status'],
        ['last error', 'last_error'],
      ])
    })

  webhooks
    .command('enable')
    .description('Switch a subscription on again that was switched off after failures')
    .argument('<webhook-id>', 'The subscription, as "webhooks list" names it')
    .onDatabase(async ({ db }, webhookId: string, options: OutputOptions) => {
      const webhook = await actOnWebhook(db, webhookId, actions.enableWebhook)
      const { id, account_id, url, active } = webhook
      print({ id, account_id, url, active }, options, () => `${id} is active.`)
    })

  webhooks
    .command('standard-headers')
    .description('Send the headers of Standard Webhooks to a subscription too, beside ours, or no longer')
    .argument('<webhook-id>', 'The subscription, as "webhooks list" names it')
    .addArgument(new Argument('<state>', 'From the next attempt on').choices(['on', 'off']))
    .notes(
      `
webhook-id, webhook-timestamp and webhook-signature let any library of that standard verify a delivery. The key is the
UTF-8 bytes of the subscription's secret; such libraries take it as whsec_ and the base64 of these bytes.`,
    )
    .onDatabase(async ({ db }, webhookId: string, state: 'on' | 'off', options: OutputOptions) => {
      const changes = { standard_headers: state === 'on' }
      const webhook = await actOnWebhook(db, webhookId, (trx, by, terms, id) =>
        actions.updateWebhook(trx, by, terms, id, changes),
      )
      const { id, account_id, url, standard_headers } = webhook
      const result = { id, account_id, url, standard_headers }
      print(result, options, () =>
        standard_headers
          ? `${id} receives the headers of Standard Webhooks too.`
          : `${id} receives Ratecard headers only.`,
      )
    })

  webhooks
    .command('rename')
    .description('Give a subscription a name for people, or take it away')
    .argument('<webhook-id>', 'The subscription, as "webhooks list" names it')
    .argument('[name]', 'At most 100 characters. Left out: it goes by its address', webhookNameArgument)
    .onDatabase(async ({ db }, webhookId: string, name: string | undefined, options: OutputOptions) => {
      const webhook = await actOnWebhook(db, webhookId, (trx, by, terms, id) =>
        actions.updateWebhook(trx, by, terms, id, { name: name ?? null }),
      )
      const { id, account_id, url } = webhook
      print({ id, account_id, name: webhook.name, url }, options, () =>
        webhook.name === null ? `${id} goes by its address, ${url}.` : `${id} is ${webhook.name}.`,
      )
    })

  webhooks
    .command('filter')
    .description('Say of which changes a subscription is told, or show it')
    .argument('<webhook-id>', 'The subscription, as "webhooks list" names it')
    .option('--vendor <name>', 'Only changes of this vendor; may be given again', listed)
    .option('--product <name>', 'Only changes of this product; may be given again', listed)
    .addOption(
      new Option('--min-severity <severity>', 'Only changes from this severity on, 1 to 5').argParser(
        countArgument(5),
      ),
    )
    .option('--clear', 'Tell of all changes again')
    .notes(
      `
What is given takes the place of the whole filter; without options the filter is shown. All that is set must hold, as in
GET /v1/changes. It counts at the moment in which changes are published: what is queued already is sent as it is.`,
    )
    .onDatabase(async ({ db, config }, webhookId: string, options: FilterOptions) => {
      const wanted = buildFilter(options)
      const webhook =
        wanted === null
          ? await getWebhook(db, await getWebhookAccount(db, webhookId), webhookId)
          : await actOnWebhook(db, webhookId, (trx, by, terms, id) =>
              actions.updateWebhook(trx, by, terms, id, { filter: wanted }),
            )
      const { id, account_id, filter } = webhook
      const preview = await previewFilter(db, filter, config.ALERT_MIN_SEVERITY)
      print({ id, account_id, filter, preview }, options, () =>
        [
          `${id} is told of ${formatFilter(filter) ?? 'all changes'}.`,
          preview.matching === 0
            ? `That matches no change of the last ${preview.days} days.`
            : `That matches ${preview.matching} of ${preview.all} changes of the last ${preview.days} days.`,
        ].join('\n'),
      )
    })

  webhooks
    .command('test')
    .description('Send a signed sample to a subscription now, and show what came back')
    .argument('<webhook-id>', 'The subscription, as "webhooks list" names it')
    .onDatabase(async ({ db, config, openSecrets }, webhookId: string, options: OutputOptions) => {
      const by = asOperator(await getWebhookAccount(db, webhookId))
      const webhook = await getSendableWebhook(db, by.accountId, webhookId)
      await actions.noteWebhookTest(db, by, webhookId)
      // Loaded when it is needed: it brings all that sending takes.
      const { sendTestAlert } = await import('../app.ts')
      const { delivery_id, result } = await sendTestAlert(config, webhook, {
        secrets: await openSecrets(),
        publicUrl: publicUrl(config, config.PORT),
        check: createBodyCheck((await loadContract()).document),
      })
      const { status, errorClass, error, durationMs } = result
      const document = {
        id: delivery_id,
        webhook_id: webhookId,
        ok: errorClass === null,
        status,
        error_class: errorClass,
        error,
        duration_ms: durationMs,
      }
      print(document, options, () =>
        errorClass === null
          ? `${status} in ${durationMs} ms: the endpoint accepts alerts.`
          : `${errorClass} after ${durationMs} ms: ${error}`,
      )
      if (errorClass !== null) process.exitCode = 1
    })

  const atRest = program.command('secrets').description('Secrets at rest: of webhooks, and of second factors')

  atRest
    .command('rotate')
    .description('Put every stored secret under the first key of SECRETS_KEY, while servers run')
    .notes(
      `
1. Set SECRETS_KEY=NEW,OLD for all servers and restart them.
2. Run this command with the same SECRETS_KEY.
3. Set SECRETS_KEY=NEW.`,
    )
    .onDatabase(async ({ db, openSecrets }, options: OutputOptions) => {
      const secrets = await openSecrets()
      const ofWebhooks = await resealSecrets(db, secrets, (count) => say(`${count} secrets moved`))
      const moved = ofWebhooks + (await resealSecondFactors(db, secrets.deriveAll(authPurpose)))
      print(
        { id: secrets.sealingKeyId, moved },
        options,
        () => `${moved} secrets moved; all are under the key ${secrets.sealingKeyId} now.`,
      )
    })

  atRest
    .command('abandon')
    .description('Give up the secrets under a key that is lost, and switch their webhooks off')
    .argument('<key-id>', 'The key, as the server names it when it refuses to start')
    .notes(
      `
Their owners set a new secret in the dashboard and switch them on again. People who had a second factor under that key
reset it: ratecard members reset-second-factor.`,
    )
    .onDatabase(async ({ db, openSecrets }, keyId: string, options: OutputOptions) => {
      const secrets = await openSecrets()
      const abandoned = await abandonSecrets(db, secrets, keyId, (count) => say(`${count} switched off`))
      print({ id: keyId, abandoned }, options, () =>
        abandoned === 0
          ? `No secret is under the key ${keyId}.`
          : `${abandoned} webhooks are switched off until their owners set a new secret.`,
      )
    })
}

interface FilterOptions extends OutputOptions {
  vendor?: string[]
  product?: string[]
  minSeverity?: number
  clear?: boolean
}

/** Collects an option that may be given several times. */
function listed(value: string, before: string[] = []): string[] {
  return [...before, value]
}

/** The filter that is wanted; null: none is named. */
function buildFilter({
  vendor,
  product,
  minSeverity,
  clear = false,
}: FilterOptions): Partial<WebhookFilter> | null {
  const isNamed = vendor !== undefined || product !== undefined || minSeverity !== undefined
  if (clear && isNamed) throw new UserError('Give --clear alone, or the filter that is to hold.')
  if (clear) return {}
  if (!isNamed) return null
  return {
    vendors: vendor ?? [],
    products: product ?? [],
    ...(minSeverity !== undefined && { min_severity: minSeverity }),
  }
}

function webhookNameArgument(text: string): string {
  const name = text.trim()
  if (name === '' || name.length > 100 || inert(name) !== name || name.includes('\n'))
    throw new InvalidArgumentError('Give a name of 1 to 100 characters, without control characters.')
  return name
}

/** Does something to a subscription as an operator, by what its account may do. */
async function actOnWebhook<T>(
  db: Db,
  webhookId: string,
  action: (trx: Trx, by: Acting, terms: PlanTerms, webhookId: string) => Promise<T>,
): Promise<T> {
  const accountId = await getWebhookAccount(db, webhookId)
  const terms = await readTerms(db, accountId)
  return actOn(db, accountId, (trx, by) => action(trx, by, terms, webhookId))
}
