import { z } from 'zod'
import { Code, Id, Name, OptionalTimestamp, Password, Timestamp } from './common.ts'

export const Base64Url = z
  .string()
  .min(1)
  .max(16384)
  .regex(/^[A-Za-z0-9_-]+$/)

export const PasskeyAskInput = z.strictObject({
  /** Whether it takes the place of a code, after `signIn`; else whoever has a passkey signs in. */
  in_place_of_code: z.boolean(),
})

/** Confirms that it is the user who adds a passkey. */
export const PasskeyStartInput = z.strictObject({
  password: Password,
  /** A code of the app, or a recovery code, of who has a second factor. */
  code: Code.exactOptional(),
})

export const PasskeyChallenge = z.strictObject({
  challenge: Base64Url,
  host: z.string(),
  /** Those that may sign, or that there are already. None to sign in without a password. */
  credentials: z.array(Base64Url).max(10),
})

export const PasskeySignature = z.strictObject({
  credential: Base64Url,
  client_data: Base64Url,
  authenticator_data: Base64Url,
  signature: Base64Url,
  /** Whose the passkey is, as the device knows it; null: it does not. */
  user_handle: Base64Url.nullable(),
})

export const PasskeyInput = z.strictObject({
  name: Name,
  credential: Base64Url,
  client_data: Base64Url,
  /** The public key, with what the device says of itself and its user. */
  attestation: Base64Url,
})

export const Passkey = z.strictObject({
  id: Id,
  name: Name,
  created_at: Timestamp,
  /** When it signed the user in last; null: never. */
  last_used_at: OptionalTimestamp,
})
