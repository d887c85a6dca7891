import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import type { Schemas } from '../../contract/index.ts'
import { ApiFailure, callData } from './client.ts'
import { queryClient } from './query-client.ts'
import { markSession } from './session-mark.ts'

export const meQuery = {
  queryKey: ['me'],
  queryFn: async (): Promise<Schemas['Me'] | null> => {
    try {
      const me = await callData('GET /me')
      markSession(me)
      return me
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.code !== 'not_signed_in') throw error
      markSession(null)
      return null
    }
  },
}

/** The user who is signed in; null: none. */
export function useSession() {
  return useQuery(meQuery)
}

/** Leads to the sign-in page, once the session has ended. */
export function useLeave(): () => void {
  const [, navigate] = useLocation()
  return () => {
    navigate('/sign-in')
    // The next user of this browser must not see data of this account.
    queryClient.clear()
  }
}
