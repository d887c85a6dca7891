import { z } from 'zod'
import { Code, Email, Id, Name, Password, Plan, Role, Timestamp, Units } from './common.ts'

/** Confirms what is done by the present password and the second factor. */
export const PasswordAndCodeInput = z.strictObject({ password: Password, code: Code })

/** What to enter into an authenticator app. Shown only now. */
export const SecondFactorSetup = z.strictObject({
  secret: z.string(),
  uri: z.string(),
  recovery_codes: z.array(z.string()).min(1).max(100),
})

export const RecoveryCodes = SecondFactorSetup.pick({ recovery_codes: true })

/** A new password for who knows the present one. All other sessions end. */
export const PasswordChangeInput = z.strictObject({ current_password: Password, new_password: Password })

export const AccountSummary = z.strictObject({ id: Id, name: Name, role: Role })

export const User = z.strictObject({
  id: Id,
  name: Name,
  email: Email,
  has_second_factor: z.boolean(),
})

export const Account = AccountSummary.extend({
  plan: Plan,
  daily_limit: Units,
  keys_max: z.int().min(0).max(1000000),
  /** Active webhooks the account may have; null: as many as it likes. */
  active_webhooks_max: z.int().min(0).max(1000000).nullable(),
  change_access: z.enum(['summary', 'full']),
})

export const Operator = z.strictObject({ waiting: Units })

/** Who is signed in, and the account that is looked at. */
export const Me = z.strictObject({
  user: User,
  /** The account of this session; null: the user is a member of none. */
  account: Account.nullable(),
  accounts: z.array(AccountSummary),
  /** What an operator of this installation has to do; null: the user is none. */
  operator: Operator.nullable(),
  now: Timestamp,
})

export const Session = z.strictObject({
  /** Identifies the session; not its secret. */
  id: Id,
  current: z.boolean(),
  user_agent: z.string().nullable(),
  ip_address: z.string().nullable(),
  created_at: Timestamp,
  /** When it was last renewed; that happens once a day. */
  last_seen_at: Timestamp,
  expires_at: Timestamp,
})
