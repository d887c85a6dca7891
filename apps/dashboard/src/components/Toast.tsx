import { useSyncExternalStore } from 'react'

const shownMs = 5_000
let nextId = 0
let toasts: readonly { id: number; text: string }[] = []
const listeners = new Set<() => void>()

/** Confirms an action for a few seconds. A message that must not be missed belongs on the page. */
export function toast(text: string): void {
  const id = nextId++
  show([...toasts, { id, text }])
  setTimeout(() => show(toasts.filter((shown) => shown.id !== id)), shownMs)
}

function show(next: typeof toasts): void {
  toasts = next
  for (const listener of listeners) listener()
}

/** For an action that has no place for its failure on the page: both outcomes are toasts. */
export function toastOutcome(success: string) {
  return { onSuccess: () => toast(success), onError: ({ message }: Error) => toast(message) }
}

/** What follows an action that the page does not show: a word that it is done, and where the user is then. */
export function confirming(text: string, next: () => void): () => void {
  return () => {
    toast(text)
    next()
  }
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div className="toasts" role="status">
      {shown.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
