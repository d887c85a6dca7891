import { useState } from 'react'
import { useBilling } from '../../api/billing.ts'
import { useSession } from '../../api/me.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { ErrorState, Skeleton } from '../../components/states.tsx'
import { AskOperator } from './AskOperator.tsx'
import { FromCheckout } from './FromCheckout.tsx'
import { OfferList } from './OfferList.tsx'
import { PackTable } from './PackTable.tsx'
import { Plan } from './Plan.tsx'
import { Portal } from './Portal.tsx'
import './billing.css'

export default function BillingPage() {
  // The query that the payment provider's page adds when it leads back.
  const [outcome] = useState(() => new URLSearchParams(window.location.search).get('checkout'))
  const [isWaiting, setWaiting] = useState(outcome === 'done')
  const { data: billing, error, refetch } = useBilling(isWaiting)
  const { data: me } = useSession()
  const isOwner = me?.account?.role === 'owner'
  const retry = () => void refetch()
  return (
    <>
      <PageHeader
        title="Billing"
        about="Your plan gives each key a daily quota. Packs serve all keys once it is used up."
      />
      {billing && outcome !== null && (
        <FromCheckout
          outcome={outcome}
          billing={billing}
          isWaiting={isWaiting}
          onDone={() => setWaiting(false)}
        />
      )}
      {error && <ErrorState error={error} onRetry={retry} />}
      {!error && !billing && <Skeleton />}
      {!error && billing && (
        <>
          <Plan billing={billing} />
          {billing.provider === 'none' ? (
            <AskOperator contact={billing.contact} accountId={me?.account?.id ?? ''} />
          ) : (
            <OfferList billing={billing} isOwner={isOwner} onRetry={retry} />
          )}
          <PackTable packs={billing.packs} />
          {billing.provider !== 'none' && <Portal billing={billing} isOwner={isOwner} />}
        </>
      )}
    </>
  )
}
