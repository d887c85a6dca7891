import type { OperationId } from '@ratecard/dashboard/contract'
import { knownBrowserCookie } from '../../features/members/known-browser.ts'
import type { Call, DashboardServices } from './operation.ts'

/** What signs the proofs of known browsers is derived with this. */
export const knownBrowserPurpose = 'known browsers'

/** Gives a browser the proof that the user has shown in it who they are. */
export async function rememberBrowser(
  cookies: Call<OperationId>['cookies'],
  email: string,
  { db, secrets, clock }: Pick<DashboardServices, 'db' | 'secrets' | 'clock'>,
): Promise<void> {
  const secret = secrets.derive(knownBrowserPurpose)
  const line = await knownBrowserCookie(db, { secret, email: email.toLowerCase(), now: clock.now() })
  if (line !== null) cookies.set(line)
}
