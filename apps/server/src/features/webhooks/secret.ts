import { randomBase62 } from '../../platform/ids.ts'

const generatedPrefix = 'rc_whsec_'
const generatedLength = 40

/** A webhook secret of 238 random bits, where none is given. The prefix lets scanners of leaked secrets know it. */
export function generateWebhookSecret(): string {
  return generatedPrefix + randomBase62(generatedLength)
}
