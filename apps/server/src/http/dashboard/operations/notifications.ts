import { kindOf, noticeKinds, type NoticeKind } from '../../../features/notices/notice.ts'
import { listNotices } from '../../../features/notices/notice-store.ts'
import { changeSettings, readSettings } from '../../../features/notices/settings-store.ts'
import { writeWords } from '../../../features/notices/words.ts'
import { data } from '../form.ts'
import { forPeople } from '../operation.ts'
import { Done } from '../schemas/common.ts'
import { Notifications, NotificationsInput } from '../schemas/notifications.ts'

// What the signed-in user is mailed, whichever account they look at.

const shownMax = 50

export const getNotifications = forPeople.read(
  'GET /notifications',
  { 200: data(Notifications) },
  async ({ member: { user } }, { db, canMail }) => {
    const { off, at_once_severity } = await readSettings(db, user.id)
    const notices = await listNotices(db, user.id, shownMax)
    const kinds = noticeKinds.map((kind) => [kind, !off.includes(kind)])
    return {
      email: user.email,
      can_mail: canMail,
      kinds: Object.fromEntries(kinds) as Record<NoticeKind, boolean>,
      at_once_severity,
      notices: notices.map((notice) => {
        const { subject, action } = writeWords(notice)
        return {
          id: notice.id,
          kind: kindOf[notice.event],
          account: { id: notice.account_id, name: notice.account_name },
          at: notice.created_at,
          subject,
          path: action.path,
          outcome: notice.outcome,
        }
      }),
    }
  },
)

export const changeNotifications = forPeople.write(
  'PATCH /notifications',
  { body: NotificationsInput, 200: Done },
  async ({ member, body }, { db }) => {
    const wanted = (value: boolean) => noticeKinds.filter((kind) => body[kind] === value)
    const { at_once_severity } = body
    await changeSettings(db, member.user.id, { on: wanted(true), off: wanted(false), at_once_severity })
  },
)
