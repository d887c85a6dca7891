import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from '../../contract/index.ts'
import { api, dataOf } from './client.ts'
import { meQuery } from './me.ts'

const membersKey = ['members']
const sessionsKey = ['sessions']

export function useMembers() {
  return useQuery({ queryKey: membersKey, queryFn: () => dataOf(api.GET('/dashboard/api/members')) })
}

export function useInvite() {
  return useChange((body: Schemas['InvitationInput']) =>
    dataOf(api.POST('/dashboard/api/invitations', { body })),
  )
}

export function useRevokeInvitation() {
  return useChange((id: string) =>
    dataOf(api.DELETE('/dashboard/api/invitations/{id}', { params: { path: { id } } })),
  )
}

export function useChangeRole() {
  return useChange(({ id, role }: { id: string; role: Schemas['Role'] }) =>
    dataOf(api.PATCH('/dashboard/api/members/{id}', { params: { path: { id } }, body: { role } })),
  )
}

export function useRemoveMember() {
  return useChange((id: string) =>
    dataOf(api.DELETE('/dashboard/api/members/{id}', { params: { path: { id } } })),
  )
}

/** An action on members. The members are read again whether or not it succeeded. */
function useChange<Input>(mutationFn: (input: Input) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => client.invalidateQueries({ queryKey: membersKey }),
    // A member who changes their own role, or leaves, sees another account or less of this one.
    onSuccess: () => client.invalidateQueries(meQuery),
  })
}

export function useRenameAccount() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (name: string) =>
      (await dataOf(api.PATCH('/dashboard/api/account', { body: { name } }))).data,
    onSuccess: (me) => client.setQueryData(meQuery.queryKey, me),
  })
}

export function useSwitchAccount() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (account_id: string) =>
      (await dataOf(api.POST('/dashboard/api/switch-account', { body: { account_id } }))).data,
    onSuccess: (me) => lookAt(client, me),
  })
}

export function useAcceptInvitation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (token: string) =>
      (await dataOf(api.POST('/dashboard/api/accept-invitation', { body: { token } }))).data,
    onSuccess: (me) => lookAt(client, me),
  })
}

/** Removes everything that was read for the account before. */
function lookAt(client: ReturnType<typeof useQueryClient>, me: Schemas['Me']): void {
  client.setQueryData(meQuery.queryKey, me)
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] })
}

export function useSessions() {
  return useQuery({
    queryKey: sessionsKey,
    queryFn: async () => (await dataOf(api.GET('/dashboard/api/sessions'))).data,
  })
}

export function useRevokeSession() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      dataOf(api.DELETE('/dashboard/api/sessions/{id}', { params: { path: { id } } })),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsKey }),
  })
}

export function useEndSessions() {
  return useMutation({ mutationFn: () => dataOf(api.DELETE('/dashboard/api/sessions')) })
}

export function useCreateAccount() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (name: string) =>
      (await dataOf(api.POST('/dashboard/api/accounts', { body: { name } }))).data,
    onSuccess: (me) => lookAt(client, me),
  })
}

/** Makes another account of the user the session's account; null: none. */
export function useDeleteAccount() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (password: string) => {
      await dataOf(api.POST('/dashboard/api/delete-account', { body: { password } }))
      return (await dataOf(api.GET('/dashboard/api/me'))).data
    },
    onSuccess: (me) => lookAt(client, me),
    gcTime: 0,
  })
}

export function useDeleteUser() {
  return useMutation({
    mutationFn: (password: string) => dataOf(api.POST('/dashboard/api/delete-user', { body: { password } })),
    gcTime: 0,
  })
}

export function useChangePassword() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Schemas['PasswordChangeInput']) =>
      dataOf(api.POST('/dashboard/api/password', { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionsKey }),
    // Passwords are sent and not kept.
    gcTime: 0,
  })
}

export function useAuditLog() {
  return useInfiniteQuery({
    queryKey: ['audit-log'],
    queryFn: ({ pageParam }) =>
      dataOf(
        api.GET('/dashboard/api/audit-log', {
          params: { query: pageParam === undefined ? {} : { cursor: pageParam } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination?.next_cursor,
  })
}
