import { findMailedLink, useMailedLink } from '../../../../features/members/mailed-link-store.ts'
import { insertOwnAccount } from '../../../../features/members/own-account.ts'
import { hashPassword, insertUser } from '../../../../features/members/user-store.ts'
import { linkDoesNotWork } from '../../mailed-link.ts'
import type { Operation } from '../../operation.ts'
import { rememberBrowser } from '../../remember-browser.ts'

/** The user who holds the link reads the mailbox, and no password was chosen for it before. */
export const finishSignUp: Operation<'finishSignUp'> = async ({ body, cookies }, services) => {
  const { token, name, password } = body
  if ((await findMailedLink(services.db, 'sign-up', token)) === undefined) throw linkDoesNotWork()
  const passwordHash = await hashPassword(password)
  const email = await services.db.transaction().execute(async (trx) => {
    const mailbox = await useMailedLink(trx, 'sign-up', token)
    if (mailbox === undefined) throw linkDoesNotWork()
    const userId = await insertUser(trx, { name, email: mailbox, passwordHash })
    // An operator has made the user since the link was mailed.
    if (userId === null) throw linkDoesNotWork()
    await insertOwnAccount(trx, { userId, name })
    return mailbox
  })
  await rememberBrowser(cookies, email, services)
  return { status: 200, body: { success: true } }
}
