import { refuse } from './error.ts'
import type { SecretOptions } from './types.ts'

/** A secret by the rule that the service has for them. Never trimmed: what differs is another secret. */
export function checkSecret(secret: string | undefined): string {
  return typeof secret === 'string' && /^[^\p{Cc}]{16,512}$/u.test(secret) ? secret : refuse('bad_secret')
}

export function readSecrets(options: SecretOptions): string[] {
  const secrets = (options.secrets ?? [options.secret]).map(checkSecret)
  return secrets.length ? secrets : refuse('bad_secret')
}
