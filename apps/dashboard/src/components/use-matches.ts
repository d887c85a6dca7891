import { useSyncExternalStore } from 'react'

/** Whether a media query matches now. */
export function useMatches(media: MediaQueryList): boolean {
  return useSyncExternalStore(
    (onChange) => {
      media.addEventListener('change', onChange)
      return () => media.removeEventListener('change', onChange)
    },
    () => media.matches,
  )
}
