import type { OperationId } from '@ratecard/dashboard/contract'
import type { Operations } from '../operation.ts'
import { acceptInvitation } from './acceptInvitation.ts'
import { changeMemberRole } from './changeMemberRole.ts'
import { changePassword } from './changePassword.ts'
import { checkWebhookUrl } from './checkWebhookUrl.ts'
import { confirmSecondFactor } from './confirmSecondFactor.ts'
import { createAccount } from './createAccount.ts'
import { createCheckout } from './createCheckout.ts'
import { createKey } from './createKey.ts'
import { createWebhook } from './createWebhook.ts'
import { deleteAccount } from './deleteAccount.ts'
import { deleteUser } from './deleteUser.ts'
import { deleteWebhook } from './deleteWebhook.ts'
import { endSessions } from './endSessions.ts'
import { exportUsage } from './exportUsage.ts'
import { finishSignUp } from './finishSignUp.ts'
import { getBilling } from './getBilling.ts'
import { getChange } from './getChange.ts'
import { getDelivery } from './getDelivery.ts'
import { getMe } from './getMe.ts'
import { getOverview } from './getOverview.ts'
import { getPriceHistory } from './getPriceHistory.ts'
import { getPriceTable } from './getPriceTable.ts'
import { getUsageReport } from './getUsageReport.ts'
import { getWebhook } from './getWebhook.ts'
import { inviteMember } from './inviteMember.ts'
import { listAuditEntries } from './listAuditEntries.ts'
import { listChangeFacets } from './listChangeFacets.ts'
import { listChanges } from './listChanges.ts'
import { listDeliveries } from './listDeliveries.ts'
import { listKeys } from './listKeys.ts'
import { listMembers } from './listMembers.ts'
import { listSessions } from './listSessions.ts'
import { listWebhooks } from './listWebhooks.ts'
import { openPortal } from './openPortal.ts'
import { receiveStripeEvent } from './receiveStripeEvent.ts'
import { removeMember } from './removeMember.ts'
import { removeSecondFactor } from './removeSecondFactor.ts'
import { renameAccount } from './renameAccount.ts'
import { renameKey } from './renameKey.ts'
import { renewRecoveryCodes } from './renewRecoveryCodes.ts'
import { resendDelivery } from './resendDelivery.ts'
import { resetPassword } from './resetPassword.ts'
import { revokeInvitation } from './revokeInvitation.ts'
import { revokeKey } from './revokeKey.ts'
import { revokeSession } from './revokeSession.ts'
import { rotateKey } from './rotateKey.ts'
import { rotateWebhookSecret } from './rotateWebhookSecret.ts'
import { sendPasswordResetMail } from './sendPasswordResetMail.ts'
import { setUpSecondFactor } from './setUpSecondFactor.ts'
import { showSecondFactor } from './showSecondFactor.ts'
import { signIn } from './signIn.ts'
import { signOut } from './signOut.ts'
import { signUp } from './signUp.ts'
import { switchAccount } from './switchAccount.ts'
import { testWebhook } from './testWebhook.ts'
import { updateWebhook } from './updateWebhook.ts'

/**
 * The operations of the dashboard's contract. A misspelled or wrongly answering one does not compile; one that is
 * missing is answered with 404.
 */
export const operations = {
  // Signing in
  signUp,
  finishSignUp,
  signIn,
  showSecondFactor,
  signOut,
  sendPasswordResetMail,
  resetPassword,
  changePassword,
  getMe,
  listSessions,
  revokeSession,
  endSessions,
  setUpSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  removeSecondFactor,
  deleteUser,

  // Account
  switchAccount,
  createAccount,
  renameAccount,
  deleteAccount,
  listMembers,
  changeMemberRole,
  removeMember,
  inviteMember,
  revokeInvitation,
  acceptInvitation,
  listAuditEntries,

  // Keys
  listKeys,
  createKey,
  renameKey,
  rotateKey,
  revokeKey,

  // Usage
  getOverview,
  getUsageReport,
  exportUsage,

  // Prices and changes
  getPriceTable,
  getPriceHistory,
  listChanges,
  listChangeFacets,
  getChange,

  // Webhooks
  listWebhooks,
  createWebhook,
  checkWebhookUrl,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  listDeliveries,
  getDelivery,
  resendDelivery,

  // Billing
  getBilling,
  createCheckout,
  openPortal,
  receiveStripeEvent,
} satisfies Partial<Operations>

/** Operations that take an owner. */
export const ownerOnly: ReadonlySet<string> = new Set<OperationId>([
  'renameAccount',
  'deleteAccount',
  'changeMemberRole',
  'inviteMember',
  'revokeInvitation',
  'createCheckout',
  'openPortal',
])
