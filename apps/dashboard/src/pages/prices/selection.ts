import { useSyncExternalStore } from 'react'

// The records that are ticked to be compared. They stay while the user looks at other pages.

export const selectionMax = 4

let selected: readonly string[] = []
const listeners = new Set<() => void>()

export function useSelection(): readonly string[] {
  return useSyncExternalStore(
    (onChange) => {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    () => selected,
  )
}

export function select(resourceIds: readonly string[]): void {
  selected = resourceIds.slice(0, selectionMax)
  for (const listener of listeners) listener()
}

export function toggleSelected(resourceId: string): void {
  const isThere = selected.includes(resourceId)
  select(isThere ? selected.filter((id) => id !== resourceId) : [...selected, resourceId])
}

/** The page that compares records. */
export function comparePath(resourceIds: readonly string[]): string {
  return `/compare?${new URLSearchParams(resourceIds.map((id) => ['record', id])).toString()}`
}
