import { useSearchParams } from 'wouter'

/** The address is replaced, as it is at every letter of a search. */
export type SetParams = (values: Record<string, string | null>) => void

/** The parameters in the page's address, and a function that changes some of them; null or no text removes one. */
export function useQueryParams(): [URLSearchParams, SetParams] {
  const [params, setParams] = useSearchParams()
  const change: SetParams = (values) =>
    setParams(
      (present) => {
        const next = new URLSearchParams(present)
        for (const [name, value] of Object.entries(values)) {
          if (value === null || value === '') next.delete(name)
          else next.set(name, value)
        }
        return next
      },
      { replace: true },
    )
  return [params, change]
}
