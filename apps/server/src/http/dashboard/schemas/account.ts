import { z } from 'zod'
import { Email, Id, Pagination, Role, Text, Timestamp } from './common.ts'
import { Member } from '../../../features/members/member-store.ts'
import { Invitation } from '../../../features/members/invitation-store.ts'

export { Invitation, Member }

export const MemberList = z.strictObject({ data: z.array(Member), invitations: z.array(Invitation) })

export const InvitationInput = z.strictObject({ email: Email, role: Role })

export const AuditDetail = z.strictObject({ name: z.string(), value: z.string() })

export const AuditEntry = z.strictObject({
  id: Id,
  at: Timestamp,
  actor: z.enum(['user', 'key', 'operator', 'provider', 'system']),
  /** The e-mail address of a user, the name of a key. */
  actor_name: z.string().nullable(),
  /** What was done, such as `key.created`. */
  action: z.string(),
  subject_id: z.string().nullable(),
  details: z.array(AuditDetail),
})

/** Only entries of this kind, with this text in who did it, to what, or a detail; case does not matter. */
export const AuditFilter = z
  .strictObject({
    kind: z.enum(['key', 'webhook', 'delivery', 'account', 'member', 'user', 'billing']),
    search: Text.min(1).max(100),
  })
  .exactPartial()

export const AuditList = z.strictObject({
  data: z.array(AuditEntry).max(100),
  pagination: Pagination.exactOptional(),
})
