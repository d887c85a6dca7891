import { useMutation } from '@tanstack/react-query'
import type { Answered, Asked, Route } from '../../contract/index.ts'
import { call, type DataOf, type Sending } from './client.ts'
import { meQuery } from './me.ts'
import { queryClient } from './query-client.ts'

/** A question to the server, for `useQuery`. What is asked is its key. */
export function ask<Address extends Route>(route: Address, ...sent: Sending<Address>) {
  return { queryKey: [route, ...sent], queryFn: () => call(route, ...sent) }
}

/** As `ask`; what the body of the answer has under `data`. */
export function askData<Address extends Route>(route: Address, ...sent: Sending<Address>) {
  return {
    ...ask(route, ...sent),
    select: (answer: Answered<Address>) => (answer as { data: DataOf<Address> }).data,
  }
}

/** A question that is answered page by page, for `useInfiniteQuery`. Each page names where the next begins. */
export function askPages<Address extends Route>(route: Address, query: object = {}) {
  return {
    queryKey: [route, 'pages', query],
    queryFn: ({ pageParam }: { pageParam: string | null }) => {
      const sent = { query: { ...query, ...(pageParam !== null && { cursor: pageParam }) } }
      return call(route, ...([sent] as unknown as Sending<Address>))
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page: Answered<Address>) =>
      (page as { pagination?: { next_cursor: string | null } }).pagination?.next_cursor ?? null,
  }
}

interface ActionOptions {
  /** Whether it ends only once what is on the page was read again. Default: true. */
  waits?: boolean
}

type Outcome<Address extends Route> =
  Answered<Address> extends { data: infer Data } ? Data : Answered<Address>

/** An action at the server. Its outcome is what the answer has under `data`, if anything. */
export function useAction<Address extends Route>(route: Address, options?: ActionOptions) {
  return useWork(async (sent: Asked<Address>) => {
    const answer = await call(route, ...([sent] as unknown as Sending<Address>))
    const hasData = typeof answer === 'object' && answer !== null && 'data' in answer
    return (hasData ? answer.data : answer) as Outcome<Address>
  }, options)
}

/** An action of several steps. What the page shows is read again after it, and after one that failed: it may be old. */
export function useWork<Input, Result>(
  mutationFn: (input: Input) => Promise<Result>,
  { waits = true }: ActionOptions = {},
) {
  return useMutation({
    mutationFn,
    onSuccess: async () => {
      const reading = readAgain()
      if (waits) await reading
    },
    onError: () => void readAgain(),
  })
}

/** The account first: what is read after it is of the account that the user looks at by then. */
async function readAgain(): Promise<void> {
  await queryClient.invalidateQueries(meQuery)
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] })
}
