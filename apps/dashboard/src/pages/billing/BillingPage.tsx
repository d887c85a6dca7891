import { useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
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
  const { data, error, refetch } = useBilling(isWaiting)
  return (
    <>
      <PageHeader
        title="Billing"
        about="Your plan gives each key a daily quota. Packs serve all keys once it is used up."
      />
      {data && outcome !== null && (
        <FromCheckout
          outcome={outcome}
          billing={data}
          isWaiting={isWaiting}
          onDone={() => setWaiting(false)}
        />
      )}
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <State billing={data} onRetry={() => void refetch()} />
      ) : (
        <Skeleton />
      )}
    </>
  )
}

function State({ billing, onRetry }: { billing: Schemas['Billing']; onRetry: () => void }) {
  const { data: me } = useSession()
  const isOwner = me?.account?.role === 'owner'
  return (
    <>
      <Plan billing={billing} />
      {billing.provider === 'none' ? (
        <AskOperator contact={billing.contact} accountId={me?.account?.id ?? ''} />
      ) : (
        <OfferList billing={billing} isOwner={isOwner} onRetry={onRetry} />
      )}
      <PackTable packs={billing.packs} />
      {billing.provider !== 'none' && (
        <Portal hasPortal={billing.has_portal} isOwner={isOwner} contact={billing.contact} />
      )}
    </>
  )
}
