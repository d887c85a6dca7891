/** The context from which better-auth's secrets are derived. */
export const authPurpose = 'dashboard sessions'

/** One of better-auth's secrets, and the name of the key that it was derived from. */
export interface AuthSecret {
  /** Hexadecimal. */
  keyId: string
  secret: string
}

/** The number by which better-auth names it in encrypted values. */
export function versionOf({ keyId }: Pick<AuthSecret, 'keyId'>): number {
  return Number.parseInt(keyId, 16)
}
