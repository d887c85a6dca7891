import { useEffect, useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { useServerNow } from '../../api/server-now.ts'

// After that the payment takes longer than usual, such as a bank transfer.
const patienceMs = 60_000

export interface FromCheckoutProps {
  /** The outcome that the provider's page reported. */
  outcome: string
  billing: Schemas['Billing']
  isWaiting: boolean
  onDone: () => void
}

/** Shows the state of a purchase to a user who comes back from the payment page. */
export function FromCheckout({ outcome, billing, isWaiting, onDone }: FromCheckoutProps) {
  const now = useServerNow(60_000)
  const bought = boughtSoFar(billing)
  const [before] = useState(bought)
  const [isLate, setLate] = useState(false)
  const isThere = bought > before || wasBoughtJustNow(billing, now)
  useEffect(() => {
    if (isThere) onDone()
  }, [isThere, onDone])
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => {
      setLate(true)
      onDone()
    }, patienceMs)
    return () => clearTimeout(timer)
  }, [isWaiting, onDone])

  if (outcome === 'cancelled') {
    return (
      <p className="notice" role="status">
        Nothing was bought.
      </p>
    )
  }
  if (outcome !== 'done') return null
  return (
    <p className="notice" data-tone={isThere ? 'good' : undefined} role="status">
      {isThere
        ? 'Thank you: what you bought is here, and holds from the next request on.'
        : isLate
          ? 'The payment is not confirmed yet. What you bought will be here as soon as it is; you need not wait.'
          : 'Waiting for the payment to be confirmed …'}
    </p>
  )
}

function boughtSoFar({ packs, subscriptions }: Schemas['Billing']): number {
  return packs.length + subscriptions.filter(({ current }) => current).length
}

// The payment may be reported before the user is back.
const justNowMs = 5 * 60_000

function wasBoughtJustNow({ packs, subscriptions }: Schemas['Billing'], nowMs: number): boolean {
  const starts = [
    ...packs.map(({ purchased_at }) => purchased_at),
    ...subscriptions.filter(({ current, renews }) => current && renews).map(({ starts_at }) => starts_at),
  ]
  return starts.some((start) => Math.abs(nowMs - Date.parse(start)) < justNowMs)
}
