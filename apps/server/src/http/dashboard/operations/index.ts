// Every operation of the dashboard's contract, by its tags: `run.ts` holds them against it.

// Signing in
export { signUp } from './signing-in/signUp.ts'
export { finishSignUp } from './signing-in/finishSignUp.ts'
export { signIn } from './signing-in/signIn.ts'
export { showSecondFactor } from './signing-in/showSecondFactor.ts'
export { signOut } from './signing-in/signOut.ts'
export { sendPasswordResetMail } from './signing-in/sendPasswordResetMail.ts'
export { resetPassword } from './signing-in/resetPassword.ts'
export { changePassword } from './signing-in/changePassword.ts'
export { getMe } from './signing-in/getMe.ts'
export { listSessions } from './signing-in/listSessions.ts'
export { revokeSession } from './signing-in/revokeSession.ts'
export { endSessions } from './signing-in/endSessions.ts'
export { setUpSecondFactor } from './signing-in/setUpSecondFactor.ts'
export { confirmSecondFactor } from './signing-in/confirmSecondFactor.ts'
export { renewRecoveryCodes } from './signing-in/renewRecoveryCodes.ts'
export { removeSecondFactor } from './signing-in/removeSecondFactor.ts'
export { deleteUser } from './signing-in/deleteUser.ts'

// Account
export { switchAccount } from './account/switchAccount.ts'
export { createAccount } from './account/createAccount.ts'
export { renameAccount } from './account/renameAccount.ts'
export { deleteAccount } from './account/deleteAccount.ts'
export { listMembers } from './account/listMembers.ts'
export { changeMemberRole } from './account/changeMemberRole.ts'
export { removeMember } from './account/removeMember.ts'
export { inviteMember } from './account/inviteMember.ts'
export { revokeInvitation } from './account/revokeInvitation.ts'
export { acceptInvitation } from './account/acceptInvitation.ts'
export { listAuditEntries } from './account/listAuditEntries.ts'

// Keys
export { listKeys } from './keys/listKeys.ts'
export { createKey } from './keys/createKey.ts'
export { renameKey } from './keys/renameKey.ts'
export { rotateKey } from './keys/rotateKey.ts'
export { revokeKey } from './keys/revokeKey.ts'

// Usage
export { getOverview } from './usage/getOverview.ts'
export { getUsageReport } from './usage/getUsageReport.ts'
export { exportUsage } from './usage/exportUsage.ts'

// Prices and changes
export { getPriceTable } from './prices/getPriceTable.ts'
export { getPriceHistory } from './prices/getPriceHistory.ts'
export { listChanges } from './prices/listChanges.ts'
export { listChangeFacets } from './prices/listChangeFacets.ts'
export { getChange } from './prices/getChange.ts'

// Webhooks
export { listWebhooks } from './webhooks/listWebhooks.ts'
export { createWebhook } from './webhooks/createWebhook.ts'
export { checkWebhookUrl } from './webhooks/checkWebhookUrl.ts'
export { getWebhook } from './webhooks/getWebhook.ts'
export { updateWebhook } from './webhooks/updateWebhook.ts'
export { deleteWebhook } from './webhooks/deleteWebhook.ts'
export { rotateWebhookSecret } from './webhooks/rotateWebhookSecret.ts'
export { testWebhook } from './webhooks/testWebhook.ts'
export { listDeliveries } from './webhooks/listDeliveries.ts'
export { getDelivery } from './webhooks/getDelivery.ts'
export { resendDelivery } from './webhooks/resendDelivery.ts'

// Billing
export { getBilling } from './billing/getBilling.ts'
export { createCheckout } from './billing/createCheckout.ts'
export { openPortal } from './billing/openPortal.ts'
export { receiveStripeEvent } from './billing/receiveStripeEvent.ts'
