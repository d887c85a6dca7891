import type { Trx } from '../../database/connect.ts'
import type { Acting } from '../../features/audit/audit-store.ts'
import type { PaymentProvider } from '../../features/billing/provider.ts'
import type { AuthAnswer } from '../../features/members/sign-in.ts'
import type { SendableWebhook } from '../../features/webhooks/webhook-store.ts'
import type { MailQueue } from '../../features/members/mail-queue.ts'
import type { OwnChange } from '../../features/members/own-change.ts'
import type { AlertQueue } from '../../features/webhooks/actions.ts'
import type { SendResult } from '../../features/webhooks/send-webhook.ts'
import type { PublishingTask } from '../../ingest/publish/publishing-task.ts'
import type { Confirmation } from '../../ingest/review/status.ts'
import type { Logger } from '../../platform/logger.ts'
import type { Services } from '../pipeline/operation.ts'
import type { Answer, Asked, Form, Route } from './form.ts'
import type { Member, Person } from './member.ts'

/** What operations of the dashboard work with; built once, in `app.ts`. */
export interface DashboardServices extends Services {
  /** Sends a signed sample to a subscription, and waits for the result. */
  sendTestAlert: (webhook: SendableWebhook) => Promise<{ body: string; result: SendResult }>
  /** Opens the queue of deliveries and mails: before a transaction, not in it. */
  openAlertQueue: () => Promise<AlertQueue & MailQueue>
  billing: {
    /** Null: an operator grants packs and plans. */
    provider: PaymentProvider | null
    /** Whom to write to: an address or a URL. */
    contact: string | null
  }
  /** At the foot of each page. */
  houseLinks: readonly { label: string; url: string }[]
  /** What a source changes is told from this severity on. */
  alertSeverityMin: number
  /** For how long what grows is kept. */
  keptDays: { usage: number; requests: number }
  /** Whether there is a mail server. */
  canMail: boolean
  /** What an operator's decision is published by. */
  publishing: PublishingTask
  readConfirmation: () => Promise<Confirmation>
  logger: Logger
  /** Where the pages are, without a trailing slash. */
  dashboardUrl: string
}

/**
 * Who may call an operation: anyone, without a session; a signed-in user, with an account or without; members of the
 * account that the user looks at; its owners alone; or operators, on what is of no account.
 */
export type Access = 'anyone' | 'person' | 'member' | 'owner' | 'operator'

/** What an operation takes of the process: `bounds.ts` has the limits of each. */
export type Cost =
  | 'read'
  /** Takes the database many times as long. */
  | 'costlyRead'
  | 'write'
  /** Hashes a password. */
  | 'password'
  /** Waits for an external server or a thread, and holds no connection meanwhile. */
  | 'foreign'

/** A request of an operation's form, and its sender. */
export interface Call<
  Wanted extends Form = Form,
  Who extends Access = 'member',
  Address extends string = string,
> extends Asked<Wanted, Address> {
  /** The body as it was sent: what a signature is over. */
  rawBody: Buffer
  /** A request header by its name in lower case. */
  header: (name: string) => string | undefined
  /** Every query is about `member.account` alone. */
  member: Who extends 'anyone' ? undefined : Who extends 'person' | 'operator' ? Person : Member
  /** Does something to the member's account, in a transaction. */
  act: Who extends 'member' | 'owner'
    ? <T>(work: (trx: Trx, by: Acting) => Promise<T>) => Promise<T>
    : undefined
  /** The `Cookie` header, and where a cookie is set. */
  cookies: { sent: string | undefined; set: (line: string) => void }
  /**
   * Asks better-auth on behalf of this client and passes its cookies on. Its answer is not for the client: it may hold
   * a session's token.
   * @throws DashboardError too_many_attempts, or what `explain` makes of a refusal
   */
  askAuth: (path: string, body: object, explain?: (code: string) => Error | null) => Promise<AuthAnswer>
  /** Mails the user what they have changed of how they sign in, which may have ended this session, and notes it. */
  tellOwnChange: (change: OwnChange) => Promise<void>
}

/** An operation: who may call it, what it costs, where it is, what is asked and answered, and its work. */
interface Operation<Who extends Access, Address extends Route, Wanted extends Form> {
  access: Who
  cost: Cost
  route: Address
  form: Wanted
  run: (call: Call<Wanted, Who, Address>, services: DashboardServices) => Promise<Answer<Wanted>>
}

/** Any of them. */
export interface AnyOperation extends Omit<Operation<Access, Route, Form>, 'run'> {
  run: (call: never, services: DashboardServices) => Promise<unknown>
}

/** The only way to define an operation, so that none is without its access and its cost. */
function definersFor<Who extends Access>(access: Who) {
  const buildDefiner =
    (cost: Cost) =>
    <const Address extends Route, Wanted extends Form>(
      route: Address,
      form: Wanted,
      run: Operation<Who, Address, Wanted>['run'],
    ): Operation<Who, Address, Wanted> => ({ access, cost, route, form, run })
  return {
    read: buildDefiner('read'),
    costlyRead: buildDefiner('costlyRead'),
    write: buildDefiner('write'),
    password: buildDefiner('password'),
    foreign: buildDefiner('foreign'),
  }
}

export const forAnyone = definersFor('anyone')
export const forPeople = definersFor('person')
export const forMembers = definersFor('member')
export const forOwners = definersFor('owner')
export const forOperators = definersFor('operator')
