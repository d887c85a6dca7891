import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { UserError } from '../../platform/user-error.ts'

/** Ids of users here, and what they are in the other cell. */
export type UserIds = Readonly<Record<string, string>>

interface User {
  id: string
  email: string
  is_verified: boolean
  has_second_factor: boolean
  /** Stands there only to say where their accounts are. */
  is_signpost: boolean
}

const userColumns = sql`
  u.id, u.email, u.email_verified as is_verified, coalesce(u.two_factor_enabled, false) as has_second_factor,
  exists (select from moved_users v where v.user_id = u.id)
    and not exists (select from members m where m.user_id = u.id) as is_signpost`

/**
 * Who the members of an account are in another cell. Who has a user with the same mailbox there goes on as that one,
 * with the password that it has there.
 * @throws UserError with a sentence for each who must do something first
 */
export async function matchUsers(
  from: Db,
  to: Db,
  { accountId, cell }: { accountId: string; cell: string },
): Promise<{ userIds: UserIds; newUsers: string[] }> {
  const { rows: members } = await sql<User>`
    select ${userColumns} from members m join auth_users u on u.id = m.user_id
    where m.account_id = ${accountId} order by u.email`.execute(from)
  const { rows: known } = await sql<User>`
    select ${userColumns} from auth_users u
    where u.email = any(${members.map(({ email }) => email)}::text[])`.execute(to)
  const ids = new Set(members.map(({ id }) => id))
  // Who comes back is who they are here by now.
  const others = known.filter(({ id, is_signpost }) => !(is_signpost && ids.has(id)))
  const byEmail = new Map(others.map((user) => [user.email, user]))
  const problems = members.flatMap((user) => whyNotMerged(user, byEmail.get(user.email), cell) ?? [])
  if (problems.length > 0) throw new UserError(problems.join('\n'))
  return {
    userIds: Object.fromEntries(members.map(({ id, email }) => [id, byEmail.get(email)?.id ?? id])),
    newUsers: members.filter(({ email }) => !byEmail.has(email)).map(({ id }) => id),
  }
}

function whyNotMerged(user: User, there: User | undefined, cell: string): string | null {
  if (there === undefined) return null
  const both = `${user.email} has a user here and another one in the cell "${cell}"`
  // Of the same id they came from one cell with another account, or with this one before the move was interrupted.
  if (there.id !== user.id && !(user.is_verified && there.is_verified))
    return `${both}, and has not shown in both that they read that mailbox. Let them choose a new password by mail, in the cell where they have not, or remove them from the account.`
  if (user.has_second_factor && !there.has_second_factor)
    return `${both}, which has no second factor: its password alone would open this account. Let them set one up there first, or remove them from the account.`
  return null
}
