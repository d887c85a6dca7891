// Made from src/database/migrations by `pnpm generate`. Do not edit.

import type { ColumnType } from 'kysely'

export type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U>
    ? ColumnType<S, I | undefined, U>
    : ColumnType<T, T | undefined, T>

export type Json = JsonValue

export type JsonArray = JsonValue[]

export type JsonObject = {
  [x: string]: JsonValue | undefined
}

export type JsonPrimitive = boolean | number | string | null

export type JsonValue = JsonArray | JsonObject | JsonPrimitive

export type Numeric = ColumnType<string, number | string, number | string>

export interface AccountMoves {
  account_id: string
  begun_at: Generated<string>
  cell: string
  direction: string
  move_id: string
  new_users: Generated<string[]>
  state: string
  told: Generated<string[]>
}

export interface Accounts {
  created_at: Generated<string>
  deleted_at: string | null
  first_steps_ended_at: string | null
  id: string
  is_stopped: Generated<boolean>
  made_by: string | null
  name: string
}

export interface AlertFanouts {
  announcement_id: string
  at: Generated<string>
}

export interface Alerts {
  change_ids: string[]
  created_at: Generated<string>
  event: string
  id: string
  public_url: string
}

export interface Announcements {
  change_ids: string[]
  created_at: Generated<string>
  event: string
  id: string
}

export interface ApiKeys {
  account_id: string
  created_at: Generated<string>
  ends_at: Generated<string | null>
  expires_at: string | null
  hash: Buffer
  id: string
  last_four: string
  name: string
  prefix: string
  quota_subject: string
  revoked_at: string | null
  scope: Generated<string>
}

export interface Attempts {
  count: number
  ends_at: string
  key: Buffer
}

export interface AuditEntries {
  account_id: string
  action: string
  actor: string
  actor_name: string | null
  at: Generated<string>
  details: Generated<Json>
  id: string
  subject_id: string | null
  user_id: string | null
}

export interface AuthCredentials {
  access_token: string | null
  access_token_expires_at: string | null
  account_id: string
  created_at: Generated<string>
  id: string
  id_token: string | null
  password: string | null
  provider_id: string
  refresh_token: string | null
  refresh_token_expires_at: string | null
  scope: string | null
  updated_at: Generated<string>
  user_id: string
}

export interface AuthSessions {
  account_id: string | null
  created_at: Generated<string>
  expires_at: string
  id: string
  ip_address: string | null
  token: string
  updated_at: Generated<string>
  user_agent: string | null
  user_id: string
}

export interface AuthTwoFactors {
  backup_codes: string
  failed_verification_count: Generated<number | null>
  id: string
  last_step: number | null
  locked_until: string | null
  secret: string
  user_id: string
  verified: Generated<boolean | null>
}

export interface AuthUsers {
  created_at: Generated<string>
  email: string
  email_verified: Generated<boolean>
  id: string
  image: string | null
  name: string
  two_factor_enabled: Generated<boolean | null>
  updated_at: Generated<string>
}

export interface AuthVerifications {
  created_at: Generated<string>
  expires_at: string
  id: string
  identifier: string
  updated_at: Generated<string>
  value: string
}

export interface BillingCustomers {
  account_id: string
  asked_at: string | null
  created_at: Generated<string>
  customer_id: string
}

export interface ChangeAlternatives {
  change_id: string
  cost_diff_pct: number | null
  created_at: Generated<string>
  id: string
  migration_effort: string
  notes: string | null
  product_id: string
  product_name: string
  quality_comparison: string | null
  rank: number
  vendor: string
}

export interface ChangeEvidence {
  amount: Numeric | null
  amount_before: Numeric | null
  change_id: string
  field: string | null
  id: Generated<string>
  last_seen: string
  quote: string | null
  resource_id: string
  since: string
  source: string
  source_key: string
  source_url: string | null
  version: string | null
}

export interface Changes {
  category: string
  created_at: Generated<string>
  diff_after: string | null
  diff_before: string | null
  diff_keys: string | null
  effective_time: string | null
  first_seen: string
  id: string
  impact_compliance: number | null
  impact_cost: number | null
  impact_migration: number | null
  impact_notes: string | null
  impact_quality: number | null
  impact_reliability: number | null
  impact_score: number
  last_seen: string
  migration_deadline: string | null
  modality: string
  product: string
  run_id: string | null
  severity: number
  source_url: string | null
  status: string | null
  summary: string
  title: string
  updated_at: string
  vendor: string
  verified: boolean | null
  verified_at: string | null
}

export interface ClaimVersions {
  observed_at: string
  resource_key: string
  run_id: string
  source: string
  stated: Json | null
}

export interface CurrentSubscriptions {
  account_id: string | null
  plan: string | null
}

export interface Deliveries {
  account_id: string
  alert_id: string
  attempts: Generated<number>
  created_at: Generated<string>
  finished_at: string | null
  id: string
  next_attempt_at: string | null
  resent_from: string | null
  state: Generated<string>
  webhook_id: string
}

export interface DeliveryAttempts {
  attempt: number
  delivery_id: string
  duration_ms: number
  error: string | null
  error_class: string | null
  started_at: string
  status: number | null
}

export interface DeliveryExchanges {
  account_id: string
  attempt: number
  body_hash: Buffer
  delivery_id: string
  request_headers: Json
  response_body: string | null
  response_headers: Json | null
  response_is_cut: Generated<boolean>
  started_at: string
  url: string
}

export interface ExportFiles {
  brotli: Buffer
  bytes: number
  gzip: Buffer
  made_at: Generated<string>
  made_of: string
  name: string
  sha256: string
}

export interface FeedClaims {
  card_move: Json | null
  checked_at: string | null
  first_seen: string
  gone_runs: Generated<number>
  gone_since: string | null
  is_flood: Generated<boolean>
  last_seen: string | null
  moves: Json
  quotes: Json | null
  removed_at: string | null
  resource_key: string
  source: string
  stated: Json
}

export interface FeedHolds {
  after: Json
  before: Json
  decided_at: string | null
  decided_by: string | null
  first_seen: string
  id: string
  note: string | null
  reason: string
  resource_id: string
  run_id: string
  source: string
  state: Generated<string>
  told_at: string | null
}

export interface FeedPulse {
  at: string
  is_only: Generated<boolean>
  migration: string
}

export interface FeedRuns {
  added: Generated<number>
  changed: Generated<number>
  created_at: Generated<string>
  data_at: string | null
  gone: Generated<number>
  held: Generated<number>
  id: string
  message: string | null
  observed_at: string
  outcome: string
  published: Generated<number>
  rejected: number
  rows: number
  source: string
  told_at: string | null
  version: string
}

export interface FeedSources {
  etag: string | null
  held_gone: Generated<string[]>
  held_run: string | null
  last_modified: string | null
  last_observed_at: string | null
  last_run: string
  rejections: Generated<Json>
  source: string
  unknown_fields: Generated<Json>
  url: string | null
}

export interface Followers {
  confirmed_at: string | null
  created_at: Generated<string>
  email: string
  expires_at: string | null
  id: string
  kind: string
  name: string
  token_hash: Buffer | null
}

export interface Invitations {
  account_id: string
  created_at: Generated<string>
  email: string
  expires_at: string
  id: string
  invited_by: string | null
  role: string
  token_hash: Buffer
}

export interface ListVersions {
  list: string
  version: number
}

export interface LostCommits {
  noticed_at: Generated<string>
  what: string
}

export interface MailedLinks {
  email: string
  expires_at: string
  purpose: string
  token_hash: Buffer
}

export interface Members {
  account_id: string
  created_at: Generated<string>
  role: string
  user_id: string
}

export interface MeterBatchers {
  batch: Generated<number>
  id: string
  outcome: Generated<string>
  updated_at: Generated<string>
}

export interface MovedKeys {
  account_id: string
  hash: Buffer
}

export interface MovedUsers {
  account_id: string
  user_id: string
}

export interface NoticeProgress {
  name: string
  until: string
}

export interface Notices {
  account_id: string
  created_at: Generated<string>
  due_at: Generated<string>
  event: string
  facts: Json
  id: Generated<string>
  outcome: string
  period: string
  settled_at: string | null
  user_id: string
}

export interface NoticeSettings {
  at_once_severity: number | null
  off: Generated<string[]>
  updated_at: Generated<string>
  user_id: string
}

export interface Packs {
  account_id: string
  created_at: Generated<string>
  expires_at: string
  id: string
  payment_ref: string | null
  purchased_at: string
  remaining: number
  units: number
  voided_at: string | null
}

export interface Passkeys {
  created_at: Generated<string>
  credential_id: string
  id: string
  last_used_at: string | null
  name: string
  public_key: Buffer
  sign_count: number
  user_id: string
}

export interface PaymentEvents {
  account_id: string | null
  id: string
  payment_ref: string | null
  received_at: Generated<string>
  takes_back: Generated<boolean>
  type: string
}

export interface PriceReports {
  closed_at: string | null
  email: string | null
  first_at: Generated<string>
  id: string
  last_at: Generated<string>
  resource_id: string
  should_be: string
  source_url: string
  times: Generated<number>
}

export interface Prices {
  audio_per_min: Numeric | null
  cached_input_per_mtok: Numeric | null
  created_at: Generated<string>
  currency: string | null
  effective_at: string | null
  image_per_unit: Numeric | null
  input_per_mtok: Numeric | null
  modality: string | null
  output_per_mtok: Numeric | null
  platform: string | null
  product_id: string | null
  region: string | null
  resource_id: string
  run_id: string | null
  served: Generated<string>
  source: string
  source_url: string | null
  unit: string | null
  updated_at: string
  vendor: string
  video_per_sec: Numeric | null
}

export interface PriceStandings {
  evidence: Json
  gone_since: string | null
  is_confirmed: boolean | null
  rate_evidence: Json | null
  resource_id: string
  resource_key: string
  retires_on: string | null
  rule: string | null
  source: string
}

export interface PriceVersions {
  observed_at: string
  record: Json
  resource_id: string
  run_id: string | null
  source: string
  updated_at: string
}

export interface RateCards {
  amount: Numeric
  hours: string | null
  id: Generated<string>
  meter: string
  resource_id: string
  service_tier: string | null
  threshold: number | null
  unit: string
  variant: string | null
}

export interface RequestCounts {
  account_id: string
  error: string
  hour: string
  key_id: string
  operation: string
  requests: number
  status: number
}

export interface RequestLines {
  account_id: string
  at: string
  duration_ms: number
  error: string
  id: string
  key_id: string
  operation: string
  status: number
  target: string
}

export interface ReviewMails {
  holds: number
  sources: string[]
  told_at: Generated<string>
}

export interface ScheduledPrices {
  amounts: Json
  learned_at: string
  reminded_days: number | null
  resource_id: string
  source: string
  starts_on: string
}

export interface Settings {
  name: string
  value: string
}

export interface SourceFiles {
  content: Buffer
  read_at: string
  sha256: string
  source: string
}

export interface Subscriptions {
  account_id: string
  ends_at: string | null
  plan: string
  provider_ref: string | null
  renews_at: string | null
  starts_at: string
  status: Generated<string>
  updated_at: Generated<string>
}

export interface UsageDays {
  changes: Generated<number>
  day: string
  gaps: string | null
  key_id: string | null
  last_grant: Generated<number>
  last_used_at: string | null
  plan_used: Generated<number>
  prices: Generated<number>
  quota_subject: string
  webhooks: Generated<number>
}

export interface UsageEntries {
  day: string | null
  endpoint: string | null
  key_id: string | null
  last_used_at: string | null
  pack_id: string | null
  quota_subject: string | null
  units: number | null
}

export interface UsageLedger {
  day: string
  endpoint: string
  key_id: string
  last_used_at: string
  pack_id: Generated<string>
  quota_subject: string
  units: number
}

export interface Watches {
  account_id: string
  created_at: Generated<string>
  kind: string
  name: string
  user_id: string
}

export interface Webhooks {
  account_id: string
  active: Generated<boolean>
  created_at: Generated<string>
  events: string[]
  exhausted_count: Generated<number>
  failing_since: Generated<string>
  id: string
  is_slow: Generated<boolean>
  last_attempt_at: string | null
  last_error: string | null
  last_status: number | null
  last_success_at: string | null
  min_severity: Generated<number>
  name: string | null
  next_secret_at: string | null
  next_secret_ciphertext: Buffer | null
  next_secret_key_id: string | null
  products: Generated<string[]>
  secret_ciphertext: Buffer
  secret_key_id: string
  standard_headers: Generated<boolean>
  updated_at: Generated<string>
  url: string
  vendors: Generated<string[]>
}

export interface DB {
  account_moves: AccountMoves
  accounts: Accounts
  alert_fanouts: AlertFanouts
  alerts: Alerts
  announcements: Announcements
  api_keys: ApiKeys
  attempts: Attempts
  audit_entries: AuditEntries
  auth_credentials: AuthCredentials
  auth_sessions: AuthSessions
  auth_two_factors: AuthTwoFactors
  auth_users: AuthUsers
  auth_verifications: AuthVerifications
  billing_customers: BillingCustomers
  change_alternatives: ChangeAlternatives
  change_evidence: ChangeEvidence
  changes: Changes
  claim_versions: ClaimVersions
  current_subscriptions: CurrentSubscriptions
  deliveries: Deliveries
  delivery_attempts: DeliveryAttempts
  delivery_exchanges: DeliveryExchanges
  export_files: ExportFiles
  feed_claims: FeedClaims
  feed_holds: FeedHolds
  feed_pulse: FeedPulse
  feed_runs: FeedRuns
  feed_sources: FeedSources
  followers: Followers
  invitations: Invitations
  list_versions: ListVersions
  lost_commits: LostCommits
  mailed_links: MailedLinks
  members: Members
  meter_batchers: MeterBatchers
  moved_keys: MovedKeys
  moved_users: MovedUsers
  notice_progress: NoticeProgress
  notice_settings: NoticeSettings
  notices: Notices
  packs: Packs
  passkeys: Passkeys
  payment_events: PaymentEvents
  price_reports: PriceReports
  price_standings: PriceStandings
  price_versions: PriceVersions
  prices: Prices
  rate_cards: RateCards
  request_counts: RequestCounts
  request_lines: RequestLines
  review_mails: ReviewMails
  scheduled_prices: ScheduledPrices
  settings: Settings
  source_files: SourceFiles
  subscriptions: Subscriptions
  usage_days: UsageDays
  usage_entries: UsageEntries
  usage_ledger: UsageLedger
  watches: Watches
  webhooks: Webhooks
}
