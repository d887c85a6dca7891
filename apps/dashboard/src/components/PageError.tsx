import { useEffect } from 'react'
import { ErrorState } from './states.tsx'

const tryEveryMs = 2_000

/** A page whose script could not be fetched, or that failed. Once the server can be reached again it is loaded again. */
export function PageError({ error }: { error: Error }) {
  const isUnfetched = /dynamically imported|preload|module script/i.test(error.message)
  useEffect(() => {
    if (!isUnfetched) return
    // Only after the server was away: a script that is gone for good would have the page loaded without end.
    let wasAway = !navigator.onLine
    const tryAgain = async () => {
      const answer = await fetch('/health', { cache: 'no-store' }).catch(() => null)
      if (answer?.ok && wasAway) window.location.reload()
      wasAway ||= answer === null
    }
    void tryAgain()
    const timer = setInterval(() => void tryAgain(), tryEveryMs)
    return () => clearInterval(timer)
  }, [isUnfetched])
  const shown = isUnfetched
    ? new Error('The server cannot be reached. This page opens by itself as soon as it can.')
    : error
  return <ErrorState error={shown} onRetry={() => window.location.reload()} />
}
