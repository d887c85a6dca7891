/** What better-auth's secrets are derived with. */
export const authPurpose = 'dashboard sessions'

/** One of better-auth's secrets, and the name of the key that it was derived from. */
export interface AuthSecret {
  /** Hexadecimal. */
  keyId: string
  secret: string
}

/** By which number better-auth names it, in what is encrypted with it. */
export function versionOf({ keyId }: Pick<AuthSecret, 'keyId'>): number {
  return Number.parseInt(keyId, 16)
}
