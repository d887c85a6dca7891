import { useSyncExternalStore } from 'react'

/** What the user has chosen for this browser; `system`: as the system is. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const storageKey = 'theme'
const listeners = new Set<() => void>()

function chosen(): Theme {
  return themes.find((theme) => theme === stored()) ?? 'system'
}

/** Reads nothing where the browser keeps nothing, as in some private windows. */
function stored(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}

/** Before the first paint, and in every window when one of them changes. */
export function applyTheme(): void {
  const theme = chosen()
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  for (const listener of listeners) listener()
}

export function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(storageKey, theme)
  } catch {
    // It holds until the page is loaded again.
    document.documentElement.dataset.theme = theme
    return
  }
  applyTheme()
}

export function useTheme(): Theme {
  return useSyncExternalStore(listen, chosen)
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', applyTheme)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', applyTheme)
  }
}
