import { requestMail } from '../../../../features/members/mail-queue.ts'
import type { Operation } from '../../operation.ts'

/** Whether there is such a user is looked up when the mail is written: no answer reveals it. */
export const signUp: Operation<'signUp'> = async ({ body }, { db, clock, openAlertQueue }) => {
  const queue = await openAlertQueue()
  await requestMail(db, queue, { kind: 'sign-up', email: body.email.toLowerCase() }, { now: clock.now() })
  return { status: 202, body: { success: true } }
}
