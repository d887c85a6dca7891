import type { OperationId } from '@ratecard/dashboard/contract'
import type { Operations } from '../operation.ts'
import { changePassword } from './changePassword.ts'
import { createKey } from './createKey.ts'
import { getMe } from './getMe.ts'
import { listKeys } from './listKeys.ts'
import { resetPassword } from './resetPassword.ts'
import { sendPasswordResetMail } from './sendPasswordResetMail.ts'
import { sendVerificationMail } from './sendVerificationMail.ts'
import { signIn } from './signIn.ts'
import { signOut } from './signOut.ts'
import { signUp } from './signUp.ts'
import { verifyEmail } from './verifyEmail.ts'

/**
 * The operations of the dashboard's contract. A misspelled or wrongly answering one does not compile; one that is
 * missing is answered with 404.
 */
export const operations = {
  // Signing in
  signUp,
  sendVerificationMail,
  verifyEmail,
  signIn,
  signOut,
  sendPasswordResetMail,
  resetPassword,
  changePassword,
  getMe,

  // Keys
  listKeys,
  createKey,
} satisfies Partial<Operations>

/** Operations that take an owner. */
export const ownerOnly: ReadonlySet<string> = new Set<OperationId>([
  'renameAccount',
  'changeMemberRole',
  'inviteMember',
  'revokeInvitation',
  'createCheckout',
  'openPortal',
])
