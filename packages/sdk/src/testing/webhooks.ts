import type { WebhookInput } from '@ratecard/contract'
import type { AccountState, Caller } from './accounts.ts'
import { fakeId } from './api-key.ts'
import type { FakeClock } from './clock.ts'
import { checkFields, checkNames, integer, orNull, textOrNull } from './refusal.ts'
import type { Webhook } from './rows.ts'

/** How a delivery ended, to be shown by `GET /v1/webhooks`. */
export type FakeDeliveryOutcome = Partial<Pick<Webhook, 'active' | 'last_status' | 'last_error'>>

const outcomeRules = {
  active: { wants: 'true or false', holds: (value: unknown) => typeof value === 'boolean' },
  last_status: orNull(integer(100, 599)),
  last_error: textOrNull,
}

interface Subscription {
  account: AccountState
  webhook: Webhook
  /** Never leaves the fake. */
  secret: string
}

export class Webhooks {
  /** Oldest first. */
  readonly rows: Subscription[] = []
  #count = 0

  list(account: AccountState): Webhook[] {
    return this.rows.filter((row) => row.account === account).map(({ webhook }) => webhook)
  }

  /** Null when the account may not have one more. */
  create({ account, activeWebhooksMax }: Caller, input: WebhookInput, clock: FakeClock): Webhook | null {
    if (this.list(account).filter(({ active }) => active).length >= activeWebhooksMax) return null
    const now = clock.nowText()
    const webhook: Webhook = {
      id: fakeId('wh', (this.#count += 1)),
      url: input.url,
      events: input.events,
      active: true,
      has_secret: true,
      last_status: null,
      last_error: null,
      created_at: now,
      updated_at: now,
    }
    this.rows.push({ account, webhook, secret: input.secret })
    return webhook
  }

  delete(account: AccountState, id: string): boolean {
    const index = this.rows.findIndex((row) => row.account === account && row.webhook.id === id)
    if (index !== -1) this.rows.splice(index, 1)
    return index !== -1
  }

  record(id: string, outcome: FakeDeliveryOutcome, clock: FakeClock): Webhook {
    const row = this.rows.find(({ webhook }) => webhook.id === id)
    if (!row) throw new RangeError(`There is no webhook ${JSON.stringify(id)}.`)
    checkNames('recordDelivery', outcome, Object.keys(outcomeRules))
    checkFields('recordDelivery', outcome, outcomeRules)
    row.webhook = { ...row.webhook, ...outcome, updated_at: clock.nowText() }
    return row.webhook
  }
}
