import type { AccountState } from './accounts.ts'
import { fakeId } from './api-key.ts'
import { instantText, type FakeClock } from './clock.ts'
import type { WebhookInput } from './body.ts'
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
  accountId: string
  webhook: Webhook
  /** Never leaves the fake. */
  secret: string
}

/** The subscriptions of all accounts. */
export class Webhooks {
  #rows: Subscription[] = []
  #count = 0

  clear(): void {
    this.#rows = []
    this.#count = 0
  }

  /** Oldest first. */
  list({ id }: AccountState): Webhook[] {
    return this.#rows.filter(({ accountId }) => accountId === id).map(({ webhook }) => webhook)
  }

  /** Those that are switched on, oldest first. */
  active(): Subscription[] {
    return this.#rows.filter(({ webhook }) => webhook.active)
  }

  /** Null when the account may not have one more. */
  create(account: AccountState, input: WebhookInput, activeMax: number, clock: FakeClock): Webhook | null {
    if (this.list(account).filter(({ active }) => active).length >= activeMax) return null
    const now = instantText(clock.nowMs() * 1000)
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
    this.#rows.push({ accountId: account.id, webhook, secret: input.secret })
    return webhook
  }

  delete(account: AccountState, id: string): boolean {
    const index = this.#rows.findIndex((row) => row.accountId === account.id && row.webhook.id === id)
    if (index !== -1) this.#rows.splice(index, 1)
    return index !== -1
  }

  record(id: string, outcome: FakeDeliveryOutcome, clock: FakeClock): Webhook {
    const row = this.#rows.find(({ webhook }) => webhook.id === id)
    if (!row) throw new RangeError(`There is no webhook ${JSON.stringify(id)}.`)
    checkNames('recordDelivery', outcome, Object.keys(outcomeRules))
    checkFields('recordDelivery', outcome, outcomeRules)
    row.webhook = { ...row.webhook, ...outcome, updated_at: instantText(clock.nowMs() * 1000) }
    return row.webhook
  }
}
