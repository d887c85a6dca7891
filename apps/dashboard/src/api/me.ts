import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../contract/index.ts'
import { api, ApiFailure, dataOf } from './client.ts'

export const meQuery = {
  queryKey: ['me'],
  queryFn: async (): Promise<Schemas['Me'] | null> => {
    try {
      return await dataOf(api.GET('/dashboard/api/me'))
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
