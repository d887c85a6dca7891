import { z } from 'zod'
import { noticeKinds } from '../../../features/notices/notice.ts'
import { Email, Id, Name, Timestamp } from './common.ts'

export const NoticeKind = z.enum(noticeKinds)

export const NoticeKinds = z.strictObject({
  quota: z.boolean(),
  packs: z.boolean(),
  webhooks: z.boolean(),
  keys: z.boolean(),
  watched: z.boolean(),
})

/** From this severity on, a change of what is watched is mailed at once; null, all of them once a day. */
export const NoticeSeverity = z.int().min(1).max(5).nullable()

export const NotificationsInput = NoticeKinds.extend({ at_once_severity: NoticeSeverity })
  .exactPartial()
  .meta({ minProperties: 1 })

export const Notice = z.strictObject({
  id: Id,
  kind: NoticeKind,
  account: z.strictObject({ id: Id, name: Name }),
  at: Timestamp,
  /** What has happened, in a line. */
  subject: z.string(),
  path: z.string(),
  /** What became of its mail: it waits; it was mailed, alone or collected with others; the mailbox refused it; such mails are switched off; or the server cannot mail. */
  outcome: z.enum(['waiting', 'mailed', 'collected', 'refused', 'off', 'not_mailed']),
})

export const Notifications = z.strictObject({
  email: Email,
  can_mail: z.boolean(),
  kinds: NoticeKinds,
  at_once_severity: NoticeSeverity,
  notices: z.array(Notice).max(50),
})
