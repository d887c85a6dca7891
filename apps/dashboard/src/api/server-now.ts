import { useEffect, useState } from 'react'
import { useSession } from './me.ts'

/** Milliseconds since 1970 by the server's clock, whatever the viewer's clock says; updated at this interval. */
export function useServerNow(intervalMs: number): number {
  const { data: me, dataUpdatedAt } = useSession()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
  return now + (me ? Date.parse(me.now) - dataUpdatedAt : 0)
}
