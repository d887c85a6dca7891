import { knownBrowserCookie } from '../../features/members/known-browser.ts'
import type { Call, DashboardServices } from './operation.ts'

/** The purpose for which the key that signs the proofs of known browsers is derived. */
export const knownBrowserPurpose = 'known browsers'

/** Gives a browser the proof that its user has shown their identity in it. */
export async function rememberBrowser(
  cookies: Call['cookies'],
  email: string,
  { db, secrets, clock }: Pick<DashboardServices, 'db' | 'secrets' | 'clock'>,
): Promise<void> {
  const secret = secrets.derive(knownBrowserPurpose)
  const line = await knownBrowserCookie(db, { secret, email: email.toLowerCase(), now: clock.now() })
  if (line !== null) cookies.set(line)
}
