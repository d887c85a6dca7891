import { findMailedLink, useMailedLink } from '../../../../features/members/mailed-link-store.ts'
import { findUserId, hashPassword, setPassword } from '../../../../features/members/user-store.ts'
import { linkDoesNotWork } from '../../mailed-link.ts'
import type { Operation } from '../../operation.ts'
import { rememberBrowser } from '../../remember-browser.ts'

export const resetPassword: Operation<'resetPassword'> = async ({ body, cookies }, services) => {
  const { token, password } = body
  if ((await findMailedLink(services.db, 'password-reset', token)) === undefined) throw linkDoesNotWork()
  const passwordHash = await hashPassword(password)
  const email = await services.db.transaction().execute(async (trx) => {
    const mailbox = await useMailedLink(trx, 'password-reset', token)
    const userId = mailbox === undefined ? undefined : await findUserId(trx, mailbox)
    if (mailbox === undefined || userId === undefined) throw linkDoesNotWork()
    await setPassword(trx, userId, passwordHash)
    return mailbox
  })
  // However many wrong passwords others try: the user who reads the mailbox can sign in, here at least.
  await rememberBrowser(cookies, email, services)
  return { status: 200, body: { success: true } }
}
