import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../contract/index.ts'
import { useActionOn } from './actions.ts'
import { call, callData } from './client.ts'
import { meQuery } from './me.ts'
import { inPages } from './pages.ts'
import { queryClient } from './query-client.ts'

const membersKey = ['members']
const sessionsKey = ['sessions']

export function useMembers() {
  return useQuery({ queryKey: membersKey, queryFn: () => call('GET /members') })
}

export function useInvite() {
  return useMemberAction((body: Schemas['InvitationInput']) => call('POST /invitations', { body }))
}

export function useRevokeInvitation() {
  return useMemberAction((id: string) => call('DELETE /invitations/{id}', { path: { id } }))
}

export function useChangeRole() {
  return useMemberAction(({ id, role }: { id: string; role: Schemas['Role'] }) =>
    call('PATCH /members/{id}', { path: { id }, body: { role } }),
  )
}

export function useRemoveMember() {
  return useMemberAction((id: string) => call('DELETE /members/{id}', { path: { id } }))
}

/** An action on members. The members are read again whether or not it succeeded. */
function useMemberAction<Input>(mutationFn: (input: Input) => Promise<unknown>) {
  return useMutation({
    mutationFn,
    onSettled: () => queryClient.invalidateQueries({ queryKey: membersKey }),
    // A member who changes their own role, or leaves, sees another account or less of this one.
    onSuccess: () => queryClient.invalidateQueries(meQuery),
  })
}

export function useRenameAccount() {
  return useMutation({
    mutationFn: (name: string) => callData('PATCH /account', { body: { name } }),
    onSuccess: (me) => queryClient.setQueryData(meQuery.queryKey, me),
  })
}

export function useSwitchAccount() {
  return useLookAt((account_id: string) => callData('POST /switch-account', { body: { account_id } }))
}

export function useAcceptInvitation() {
  return useLookAt((token: string) => callData('POST /accept-invitation', { body: { token } }))
}

export function useCreateAccount() {
  return useLookAt((name: string) => callData('POST /accounts', { body: { name } }))
}

/** Makes another account of the user the session's account; null: none. */
export function useDeleteAccount() {
  return useLookAt(async (password: string) => {
    await call('POST /delete-account', { body: { password } })
    return callData('GET /me')
  })
}

/** An action that leads to another account. Removes everything that was read for the account before. */
function useLookAt(mutationFn: (input: string) => Promise<Schemas['Me']>) {
  return useMutation({
    mutationFn,
    onSuccess: (me) => {
      queryClient.setQueryData(meQuery.queryKey, me)
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] })
    },
  })
}

export function useSessions() {
  return useQuery({ queryKey: sessionsKey, queryFn: () => callData('GET /sessions') })
}

export function useRevokeSession() {
  return useMutation({
    mutationFn: (id: string) => call('DELETE /sessions/{id}', { path: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsKey }),
  })
}

export function useEndSessions() {
  return useMutation({ mutationFn: () => call('DELETE /sessions') })
}

export function useDeleteUser() {
  return useMutation({ mutationFn: (password: string) => call('POST /delete-user', { body: { password } }) })
}

export function useChangePassword() {
  return useActionOn(sessionsKey, (body: Schemas['PasswordChangeInput']) => call('POST /password', { body }))
}

/** What is left out filters nothing. */
export type AuditFilter = Schemas['AuditFilter']

export function useAuditLog(filter: AuditFilter) {
  return useInfiniteQuery(
    inPages(['audit-log', filter], (cursor) => call('GET /audit-log', { query: { ...filter, ...cursor } })),
  )
}

export function auditLogCsvUrl(filter: AuditFilter): string {
  const query = new URLSearchParams(filter).toString()
  return `/dashboard/api/audit-log.csv${query === '' ? '' : `?${query}`}`
}
