// Every operation of the dashboard's contract, by its tags: `run.ts` holds them against it.

// Signing in
export { signUp } from './signUp.ts'
export { finishSignUp } from './finishSignUp.ts'
export { signIn } from './signIn.ts'
export { showSecondFactor } from './showSecondFactor.ts'
export { signOut } from './signOut.ts'
export { sendPasswordResetMail } from './sendPasswordResetMail.ts'
export { resetPassword } from './resetPassword.ts'
export { changePassword } from './changePassword.ts'
export { getMe } from './getMe.ts'
export { listSessions } from './listSessions.ts'
export { revokeSession } from './revokeSession.ts'
export { endSessions } from './endSessions.ts'
export { setUpSecondFactor } from './setUpSecondFactor.ts'
export { confirmSecondFactor } from './confirmSecondFactor.ts'
export { renewRecoveryCodes } from './renewRecoveryCodes.ts'
export { removeSecondFactor } from './removeSecondFactor.ts'
export { deleteUser } from './deleteUser.ts'

// Account
export { switchAccount } from './switchAccount.ts'
export { createAccount } from './createAccount.ts'
export { renameAccount } from './renameAccount.ts'
export { deleteAccount } from './deleteAccount.ts'
export { listMembers } from './listMembers.ts'
export { changeMemberRole } from './changeMemberRole.ts'
export { removeMember } from './removeMember.ts'
export { inviteMember } from './inviteMember.ts'
export { revokeInvitation } from './revokeInvitation.ts'
export { acceptInvitation } from './acceptInvitation.ts'
export { listAuditEntries } from './listAuditEntries.ts'

// Keys
export { listKeys } from './listKeys.ts'
export { createKey } from './createKey.ts'
export { renameKey } from './renameKey.ts'
export { rotateKey } from './rotateKey.ts'
export { revokeKey } from './revokeKey.ts'

// Usage
export { getOverview } from './getOverview.ts'
export { getUsageReport } from './getUsageReport.ts'
export { exportUsage } from './exportUsage.ts'

// Prices and changes
export { getPriceTable } from './getPriceTable.ts'
export { getPriceHistory } from './getPriceHistory.ts'
export { listChanges } from './listChanges.ts'
export { listChangeFacets } from './listChangeFacets.ts'
export { getChange } from './getChange.ts'

// Webhooks
export { listWebhooks } from './listWebhooks.ts'
export { createWebhook } from './createWebhook.ts'
export { checkWebhookUrl } from './checkWebhookUrl.ts'
export { getWebhook } from './getWebhook.ts'
export { updateWebhook } from './updateWebhook.ts'
export { deleteWebhook } from './deleteWebhook.ts'
export { rotateWebhookSecret } from './rotateWebhookSecret.ts'
export { testWebhook } from './testWebhook.ts'
export { listDeliveries } from './listDeliveries.ts'
export { getDelivery } from './getDelivery.ts'
export { resendDelivery } from './resendDelivery.ts'

// Billing
export { getBilling } from './getBilling.ts'
export { createCheckout } from './createCheckout.ts'
export { openPortal } from './openPortal.ts'
export { receiveStripeEvent } from './receiveStripeEvent.ts'
