import type { Sent } from '../../src/http/dashboard/form.ts'
import type * as operations from '../../src/http/dashboard/operations/index.ts'

type Operations = typeof operations
type Takes<Id extends keyof Operations> = Sent<Operations[Id]['form'], Operations[Id]['route']>

/** A body that each operation takes: a new one compiles only when it has been entered here. */
export const bodies: {
  [Id in keyof Operations as Takes<Id> extends { body: unknown } ? Id : never]: Takes<Id> extends {
    body: infer Body
  }
    ? Body
    : never
} = {
  signUp: { email: 'ada@customer.example' },
  finishSignUp: { token: '3kTMd1Yb0sZc9QwErTyU', name: 'Ada', password: 'correct horse battery' },
  signIn: { email: 'ada@customer.example', password: 'correct horse battery' },
  showSecondFactor: { code: '123456' },
  sendPasswordResetMail: { email: 'ada@customer.example' },
  resetPassword: { token: 'eyJhbGciOiJIUzI1NiJ9', password: 'correct horse battery' },
  checkInvitation: { token: 'eyJhbGciOiJIUzI1NiJ9' },
  checkMailedLink: { kind: 'password-reset', token: 'eyJhbGciOiJIUzI1NiJ9' },
  changePassword: { current_password: 'correct horse battery', new_password: 'correct horse battery staple' },
  setUpSecondFactor: { password: 'correct horse battery' },
  confirmSecondFactor: { code: '123456' },
  renewRecoveryCodes: { password: 'correct horse battery', code: '123456' },
  removeSecondFactor: { password: 'correct horse battery', code: '123456' },
  beginPasskeySignIn: { in_place_of_code: false },
  signInWithPasskey: {
    credential: '3kTMd1Yb0sZc9QwErTyU',
    client_data: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticator_data: 'SZYN5YgOjGh0NBcPZHZgW4',
    signature: 'MEUCIQDkTMd1Yb0sZc9QwErTyU',
    user_handle: 'dXNyXzNrVE1kMVliMHNaYzlRd0VyVHlV',
  },
  addPasskey: {
    name: 'Phone',
    credential: '3kTMd1Yb0sZc9QwErTyU',
    client_data: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
    attestation: 'o2NmbXRkbm9uZWdhdHRTdG10',
  },
  beginPasskey: { password: 'correct horse battery' },
  renamePasskey: { name: 'Phone' },
  removePasskey: { password: 'correct horse battery' },
  deleteUser: { password: 'correct horse battery' },
  switchAccount: { account_id: 'acct_3kTMd1Yb0sZc9QwErTyU' },
  renameAccount: { name: 'CI pipeline' },
  createAccount: { name: 'Acme' },
  deleteAccount: { password: 'correct horse battery' },
  changeMemberRole: { role: 'member' },
  inviteMember: { email: 'grace@customer.example', role: 'member' },
  acceptInvitation: { token: 'eyJhbGciOiJIUzI1NiJ9' },
  createKey: { name: 'CI pipeline', scope: 'prices', expires_at: '2027-02-19T09:30:00.000000Z' },
  renameKey: { name: 'CI pipeline' },
  rotateKey: { grace_seconds: 3600 },
  setKeyExpiry: { expires_at: '2027-02-19T09:30:00.000000Z' },
  createWebhook: { url: 'https://hooks.customer.example/ratecard' },
  checkWebhookUrl: { url: 'http://hooks' },
  previewWebhookFilter: { vendors: ['openai'], min_severity: 3 },
  updateWebhook: { active: false },
  rotateWebhookSecret: {},
  resendFailedDeliveries: { since: '2026-11-20T00:00:00.000000Z' },
  setWatch: { kind: 'vendor', name: 'openai', watched: true },
  changeNotifications: { watched: true, at_once_severity: 4 },
  acceptHolds: {
    ids: ['hold_3kTMd1Yb0sZc9QwErTyU'],
    as: 'move',
    note: 'The vendor announced it.',
    password: 'correct horse battery',
  },
  rejectHolds: {
    ids: ['hold_3kTMd1Yb0sZc9QwErTyU'],
    reason: 'The source took cents for dollars.',
    password: 'correct horse battery',
  },
  createCheckout: { item: 'pack', quantity: 2 },
  receiveStripeEvent: { id: 'evt_1', type: 'checkout.session.completed' },
}
