import { sql, type RawBuilder } from 'kysely'
import { selectCounters } from '../accounts/api-key-store.ts'
import { selectDeliveryIds } from '../webhooks/delivery-store.ts'

// What belongs to an account: the rows that go with it to another cell. A test holds the lists against the schema, so
// that no table is forgotten.

export interface AccountTable {
  name: string
  /** Which of its rows belong to the account. */
  belongs: (accountId: string) => RawBuilder<boolean>
  /** Columns that name a user: in the other cell the user may have another id. */
  users?: readonly string[]
  /** Rows that the other cell may have by now. */
  mayBeThere?: true
  /** Rows that other accounts share: they stay here too. */
  staysHere?: true
}

const byAccount = (accountId: string) => sql<boolean>`t.account_id = ${sql.lit(accountId)}`
const byCounter = (accountId: string) => sql<boolean>`t.quota_subject in (${selectCounters(accountId)})`

/** Each after those that it refers to. */
export const accountTables: readonly AccountTable[] = [
  {
    name: 'accounts',
    belongs: (accountId) => sql<boolean>`t.id = ${sql.lit(accountId)}`,
    users: ['made_by'],
  },
  { name: 'api_keys', belongs: byAccount },
  { name: 'usage_days', belongs: byCounter },
  { name: 'usage_ledger', belongs: byCounter },
  { name: 'subscriptions', belongs: byAccount },
  { name: 'packs', belongs: byAccount },
  { name: 'billing_customers', belongs: byAccount },
  // The provider reports everything to each cell.
  { name: 'payment_events', belongs: byAccount, mayBeThere: true },
  { name: 'audit_entries', belongs: byAccount },
  { name: 'members', belongs: byAccount, users: ['user_id'] },
  { name: 'invitations', belongs: byAccount, users: ['invited_by'] },
  { name: 'watches', belongs: byAccount, users: ['user_id'] },
  { name: 'notices', belongs: byAccount, users: ['user_id'] },
  { name: 'webhooks', belongs: byAccount },
  {
    name: 'alerts',
    belongs: (accountId) => sql<boolean>`t.id in (${selectDeliveryIds(accountId, 'alert_id')})`,
    mayBeThere: true,
    staysHere: true,
  },
  { name: 'deliveries', belongs: byAccount },
  {
    name: 'delivery_attempts',
    belongs: (accountId) => sql<boolean>`t.delivery_id in (${selectDeliveryIds(accountId, 'id')})`,
  },
  { name: 'delivery_exchanges', belongs: byAccount },
  { name: 'request_lines', belongs: byAccount },
  { name: 'request_counts', belongs: byAccount },
]

/** What belongs to a user. It goes along with a user whom the other cell does not have, and stays here too. */
export const userTables = ['auth_users', 'auth_credentials', 'auth_two_factors', 'notice_settings'] as const

/** What goes nowhere, and why. Prices and changes are not among them: `feedTables` are the hub's. */
export const stayingTables: Readonly<Record<string, string>> = {
  auth_sessions: 'People sign in again: a cookie is of one host.',
  auth_verifications: 'Half a sign-in.',
  passkeys: 'Each is of one host: people add new ones.',
  mailed_links: 'Links to this host.',
  attempts: 'Counted by hashes, for an hour.',
  settings: 'Of the database.',
  account_moves: 'The way to an account.',
  moved_keys: 'The way to an account.',
  moved_users: 'The way to an account.',
  alert_fanouts: 'Of the database; what an account was told goes along (account_moves.told).',
  notice_progress: 'Of the database.',
  followers: 'Of no account.',
  price_reports: 'Of no account.',
  meter_batchers: 'Of processes.',
  lost_commits: 'Of the database.',
  review_mails: 'Of operators.',
  source_files: 'The hub makes the exports.',
}
