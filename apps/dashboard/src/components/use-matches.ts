import { useLayoutEffect, useState, useSyncExternalStore, type RefObject } from 'react'

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

/** Whether the element's parent is narrower than this. Known before the first paint. */
export function useIsNarrow(element: RefObject<HTMLElement | null>, widthRemMax: number): boolean {
  const [isNarrow, setNarrow] = useState(false)
  useLayoutEffect(() => {
    const parent = element.current?.parentElement
    if (!parent) return
    const remPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    const measure = () => setNarrow(parent.clientWidth < widthRemMax * remPx)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(parent)
    return () => observer.disconnect()
  }, [element, widthRemMax])
  return isNarrow
}
