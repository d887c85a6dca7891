import { useSearchParams } from 'wouter'

/** Marks an address that a press on the page led to. */
const pushed = { isPushed: true }

/** `push`: the browser's way back undoes it. Else the address is replaced, as it is at every letter of a search. */
export type SetParams = (values: Record<string, string | null>, how?: 'push') => void

/** The parameters in the page's address, and a function that changes some of them; null or no text removes one. */
export function useQueryParams(): [URLSearchParams, SetParams] {
  const [params, setParams] = useSearchParams()
  const change: SetParams = (values, how) =>
    setParams(
      (present) => {
        const next = new URLSearchParams(present)
        for (const [name, value] of Object.entries(values)) {
          if (value === null || value === '') next.delete(name)
          else next.set(name, value)
        }
        return next
      },
      how === 'push' ? { state: pushed } : { replace: true },
    )
  return [params, change]
}

/** Undoes what was pushed, so that the way back does not lead to it again; else does what is given. */
export function goBackOr(replace: () => void): void {
  const state = history.state as Partial<typeof pushed> | null
  if (state?.isPushed) history.back()
  else replace()
}
