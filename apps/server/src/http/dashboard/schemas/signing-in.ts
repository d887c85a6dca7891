import { z } from 'zod'
import { Email, MailedToken, Name, Password, Role } from './common.ts'

export const FinishSignUpInput = z.strictObject({ token: MailedToken, name: Name, password: Password })

export const SignInInput = z.strictObject({
  email: Email,
  /** The password of the user. One that is too short to be any user's is answered as a wrong one. */
  password: z.string().min(1).max(128),
  /** Whether the session outlives the browser: 30 days, else until it is closed. */
  remember: z.boolean().default(true),
})

export const EmailInput = z.strictObject({ email: Email })

export const PasswordResetInput = z.strictObject({ token: MailedToken, password: Password })

export const InvitationCheckInput = z.strictObject({ token: MailedToken })

export const Invited = z.strictObject({
  account: z.string(),
  /** The address of who invites; null: an operator, or who has left. */
  invited_by: z.string().nullable(),
  role: Role,
})

export const MailedLinkInput = z.strictObject({
  kind: z.enum(['sign-up', 'password-reset']),
  token: MailedToken,
})
