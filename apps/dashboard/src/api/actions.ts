import { useMutation, type QueryKey } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'

/** An action. What was read under the key is read again after it. */
export function useActionOn<Input, Result>(
  queryKey: QueryKey,
  mutationFn: (input: Input) => Promise<Result>,
) {
  return useMutation({ mutationFn, onSuccess: () => queryClient.invalidateQueries({ queryKey }) })
}
