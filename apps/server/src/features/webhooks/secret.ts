import { randomBase62 } from '../../platform/ids.ts'

const generatedPrefix = 'rc_whsec_'
const generatedLength = 40

/** A webhook secret of 238 random bits, for who brings none. The prefix lets scanners of leaked secrets know it. */
export function generateWebhookSecret(): string {
  return generatedPrefix + randomBase62(generatedLength)
}

/** What is wrong with a secret besides its form, which the contract says, as a sentence for its owner, or null. */
export function webhookSecretProblem(secret: string): string | null {
  // Half a surrogate pair has no UTF-8: it would be signed as something else than was sent.
  return secret.isWellFormed() ? null : 'The secret must be well-formed Unicode.'
}
