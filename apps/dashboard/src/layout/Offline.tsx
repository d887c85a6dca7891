import { useIsAway } from '../api/reach.ts'

/** Says that the server cannot be reached, be it away or the network: what the page shows is as old as that. */
export function Offline() {
  const isAway = useIsAway()
  if (!isAway) return null
  return (
    <p className="notice" data-tone="bad" role="status">
      {navigator.onLine ? 'The server cannot be reached.' : 'You are offline.'} What you see is from before;
      it is read again as soon as the server answers.
    </p>
  )
}
