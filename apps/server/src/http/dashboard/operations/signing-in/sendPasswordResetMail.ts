import { requestMail } from '../../../../features/members/mail-queue.ts'
import type { Operation } from '../../operation.ts'

/** The same way as `signUp`. */
export const sendPasswordResetMail: Operation<'sendPasswordResetMail'> = async (
  { body },
  { db, clock, openAlertQueue },
) => {
  const request = { kind: 'password-reset', email: body.email.toLowerCase() } as const
  await requestMail(db, await openAlertQueue(), request, { now: clock.now() })
  return { status: 202, body: { success: true } }
}
