import { refuse } from './error.ts'
import type { SecretOptions } from './types.ts'

const variable = 'RATECARD_WEBHOOK_SECRET'

/** A secret by the service's rule. It is never trimmed: a trimmed text is another secret. */
export function checkSecret(secret: unknown): string {
  if (secret == null || secret === '')
    refuse('bad_secret', `The secret is not set. Pass \`secret\`, or leave it out and set ${variable}.`)
  return typeof secret === 'string' && /^[^\p{Cc}]{16,512}$/u.test(secret) ? secret : refuse('bad_secret')
}

/**
 * The secrets to try. The environment is read only when the options name no secret: another secret never replaces
 * a named one that is not set.
 */
export function readSecrets(options: SecretOptions): string[] {
  if (typeof options !== 'object' || options === null)
    throw new TypeError('options: pass the secret as in verify(body, request.headers, { secret })')
  const { secrets } = options
  if (secrets === undefined) return [checkSecret('secret' in options ? options.secret : fromEnvironment())]
  if (!Array.isArray(secrets)) throw new TypeError('secrets: pass an array of texts')
  return (secrets.length ? (secrets as unknown[]) : [undefined]).map(checkSecret)
}

// Not every runtime has a `process`.
function fromEnvironment(): string | undefined {
  return (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[variable]
}
