import { useSyncExternalStore } from 'react'

/** Says that the browser has no network: what the page shows is as old as that. */
export function Offline() {
  const isOnline = useSyncExternalStore(listen, () => navigator.onLine)
  if (isOnline) return null
  return (
    <p className="notice" data-tone="bad" role="status">
      You are offline. What you see is from before; it is read again as soon as there is a network.
    </p>
  )
}

function listen(onChange: () => void): () => void {
  window.addEventListener('online', onChange)
  window.addEventListener('offline', onChange)
  return () => {
    window.removeEventListener('online', onChange)
    window.removeEventListener('offline', onChange)
  }
}
