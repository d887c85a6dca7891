import { z } from 'zod'
import * as accounts from '../../../features/accounts/actions.ts'
import * as audit from '../../../features/audit/audit-log.ts'
import * as deletion from '../../../features/deletion/actions.ts'
import * as members from '../../../features/members/actions.ts'
import { listInvitations } from '../../../features/members/invitation-store.ts'
import { requestMail } from '../../../features/members/mail-queue.ts'
import * as memberStore from '../../../features/members/member-store.ts'
import { insertOwnAccount } from '../../../features/members/own-account.ts'
import { lookAt } from '../../../features/members/session-store.ts'
import { requirePassword } from '../confirm-password.ts'
import { DashboardError } from '../errors.ts'
import { data } from '../form.ts'
import { meBody } from '../me-body.ts'
import { toActor } from '../member.ts'
import { forPeople, forMembers, forOwners } from '../operation.ts'
import { readPage } from '../read-page.ts'
import {
  AuditFilter,
  AuditList,
  Invitation,
  InvitationInput,
  Member,
  MemberList,
} from '../schemas/account.ts'
import { Done, Id, MailedToken, PageQuery, PasswordInput, RenameInput, Role } from '../schemas/common.ts'
import { Me } from '../schemas/own-user.ts'

export const switchAccount = forPeople.write(
  'POST /switch-account',
  {
    body: z.strictObject({ account_id: Id }),
    200: data(Me),
    errors: ['not_found'],
  },
  async ({ member, body }, services) => {
    const account = member.accounts.find(({ id }) => id === body.account_id)
    if (!account) throw new DashboardError('not_found', { message: 'You are a member of no such account.' })
    await lookAt(services.db, member.sessionId, account.id)
    return meBody({ ...member, account }, services)
  },
)

export const createAccount = forPeople.write(
  'POST /accounts',
  { body: RenameInput, 201: data(Me), errors: ['conflict'] },
  async ({ member, body: { name } }, services) => {
    if (member.accounts.length > 0) {
      throw new DashboardError('conflict', { message: 'You are a member of an account already.' })
    }
    const account = await services.db.transaction().execute(async (trx) => {
      const made = await insertOwnAccount(trx, { userId: member.user.id, name })
      await lookAt(trx, member.sessionId, made.id)
      return made
    })
    return meBody({ ...member, account, accounts: [account] }, services)
  },
)

export const renameAccount = forOwners.write(
  'PATCH /account',
  { body: RenameInput, 200: data(Me) },
  async ({ member, act, body: { name } }, services) => {
    await act((trx, by) => accounts.renameAccount(trx, by, name))
    const account = { ...member.account, name }
    const all = member.accounts.map((other) => (other.id === account.id ? account : other))
    return meBody({ ...member, account, accounts: all }, services)
  },
)

export const deleteAccount = forOwners.password(
  'POST /delete-account',
  { body: PasswordInput, 200: Done, errors: ['conflict'] },
  async ({ member, body: { password } }, { db }) => {
    await requirePassword(db, member.user.id, password)
    await db.transaction().execute((trx) => deletion.deleteAccount(trx, toActor(member), member.account))
  },
)

export const listMembers = forMembers.read(
  'GET /members',
  { 200: MemberList },
  async ({ member: { account } }, { db }) => {
    const [data, invitations] = await Promise.all([
      memberStore.listMembers(db, account.id),
      listInvitations(db, account.id),
    ])
    return { data, invitations }
  },
)

export const changeMemberRole = forOwners.write(
  'PATCH /members/{id}',
  { body: z.strictObject({ role: Role }), 200: data(Member), errors: ['not_found', 'last_owner'] },
  ({ path, body, act }) => act((trx, by) => members.changeRole(trx, by, path.id, body.role)),
)

/** Owners may remove any member, and all members themselves. */
export const removeMember = forMembers.write(
  'DELETE /members/{id}',
  { 200: Done, errors: ['not_found', 'last_owner', 'owner_only'] },
  async ({ member, path, act }, { db }) => {
    if (path.id !== member.user.id && member.account.role !== 'owner') {
      await memberStore.getMemberRecord(db, member.account.id, path.id)
      throw new DashboardError('owner_only')
    }
    await act((trx, by) => members.removeMember(trx, by, path.id))
  },
)

export const inviteMember = forOwners.write(
  'POST /invitations',
  { body: InvitationInput, 201: data(Invitation), errors: ['conflict'] },
  async ({ act, body: { email, role } }, { clock, openAlertQueue }) => {
    const queue = await openAlertQueue()
    return act(async (trx, by) => {
      const invited = { email: email.toLowerCase(), role }
      const { invitation } = await members.inviteMember(trx, by, invited)
      await requestMail(trx, queue, { kind: 'invitation', invitationId: invitation.id }, { now: clock.now() })
      return invitation
    })
  },
)

export const revokeInvitation = forOwners.write(
  'DELETE /invitations/{id}',
  { 200: Done, errors: ['not_found'] },
  ({ path, act }) => act((trx, by) => members.revokeInvitation(trx, by, path.id)),
)

export const acceptInvitation = forPeople.write(
  'POST /accept-invitation',
  { body: z.strictObject({ token: MailedToken }), 200: data(Me), errors: ['not_found', 'conflict'] },
  async ({ member, body }, services) => {
    const { user, sessionId } = member
    const joined = await services.db.transaction().execute(async (trx) => {
      const accountId = await members.acceptInvitation(trx, toActor(member), body.token)
      if (accountId !== undefined) await lookAt(trx, sessionId, accountId)
      return accountId
    })
    const memberships = await memberStore.listMemberships(services.db, user.id)
    const account = memberships.find(({ id }) => id === joined)
    if (!account) {
      throw new DashboardError('not_found', {
        message: `This invitation does not work for ${user.email}. It may be used or too old, or it was sent to another address: sign in with that one.`,
      })
    }
    return meBody({ ...member, account, accounts: memberships }, services)
  },
)

export const listAuditEntries = forMembers.read(
  'GET /audit-log',
  { query: PageQuery.extend(AuditFilter.shape), 200: AuditList },
  async ({ member, query }, { db }) => {
    const { kind, search, ...position } = query
    const { rows, next } = await readPage(
      position,
      (from) => audit.listAuditEntries(db, member.account.id, { kind, search }, from),
      ({ at, id }) => ({ updatedAt: at, id }),
    )
    const data = rows.map(({ details, ...entry }) => ({
      ...entry,
      details: Object.entries(details).map(([name, value]) => ({ name, value })),
    }))
    return { data, ...next }
  },
)

/** The newest; older ones are had by searching. */
const exportedEntriesMax = 10_000

export const exportAuditLog = forMembers.read(
  'GET /audit-log.csv',
  { query: AuditFilter, 200: 'file' },
  async ({ member, query }, { db }) => {
    const from = { cursor: null, limit: exportedEntriesMax }
    const entries = await audit.listAuditEntries(db, member.account.id, query, from)
    return { name: 'audit-log.csv', type: 'text/csv', text: audit.auditCsv(entries) }
  },
)
