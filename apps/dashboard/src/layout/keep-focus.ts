import { useEffect } from 'react'

/**
 * Keeps the focus on the page. When the focused element leaves it, such as the button of a revoked key, browsers give the
 * focus to nothing, and who works by keyboard begins again at the top. Here the page's main part has it then.
 */
export function useKeptFocus(mainId: string): void {
  useEffect(() => {
    let last: Element | null = null
    const remember = ({ target }: FocusEvent) => (last = target instanceof Element ? target : null)
    const observer = new MutationObserver(() => {
      if (last === null || last.isConnected || document.activeElement !== document.body) return
      last = null
      document.getElementById(mainId)?.focus({ preventScroll: true })
    })
    document.addEventListener('focusin', remember)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', remember)
      observer.disconnect()
    }
  }, [mainId])
}
