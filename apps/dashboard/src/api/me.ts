import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import type { Schemas } from '../../contract/index.ts'
import { ApiFailure, callData } from './client.ts'
import { queryClient } from './query-client.ts'

export const meQuery = {
  queryKey: ['me'],
  queryFn: async (): Promise<Schemas['Me'] | null> => {
    try {
      return await callData('GET /me')
    } catch (error) {
      if (error instanceof ApiFailure && error.code === 'not_signed_in') return null
      throw error
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
