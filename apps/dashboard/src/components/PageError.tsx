import { useEffect } from 'react'
import { isReachable } from '../api/reach.ts'
import { ErrorState } from './states.tsx'

/** A page whose script could not be fetched, or that failed. Once the server can be reached again it is loaded again. */
export function PageError({ error }: { error: Error }) {
  const isUnfetched = /dynamically imported|preload|module script/i.test(error.message)
  useEffect(() => (isUnfetched ? reloadOnReturn() : undefined), [isUnfetched])
  const shown = isUnfetched
    ? new Error('The server cannot be reached. This page opens by itself as soon as it can.')
    : error
  return <ErrorState error={shown} onRetry={() => window.location.reload()} />
}

const tryEveryMs = 2_000
const pauseMsMax = 60_000
const reloadsKey = 'ratecard.reloads'

/** Each time in vain twice as late as before: a script that is gone for good would have the page loaded without end. */
function reloadOnReturn(): () => void {
  const tryAgain = async () => {
    const [lastMs = 0, pauseMs = 0] = (sessionStorage.getItem(reloadsKey) ?? '').split(' ').map(Number)
    const nowMs = Date.now()
    const isRecent = nowMs - lastMs < 2 * pauseMsMax
    if (isRecent && nowMs - lastMs < pauseMs) return
    if (!(await isReachable())) return
    const nextPauseMs = isRecent ? Math.min(pauseMsMax, 2 * pauseMs) : tryEveryMs
    sessionStorage.setItem(reloadsKey, `${nowMs} ${nextPauseMs}`)
    window.location.reload()
  }
  const retry = () => void tryAgain()
  const timer = setInterval(retry, tryEveryMs)
  window.addEventListener('online', retry)
  return () => {
    clearInterval(timer)
    window.removeEventListener('online', retry)
  }
}
