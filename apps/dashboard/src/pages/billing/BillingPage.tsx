import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSession } from '../../api/me.ts'
import { askData } from '../../api/queries.ts'
import { ErrorState, Skeleton } from '../../components/states.tsx'
import { AccountHeader } from '../account/AccountHeader.tsx'
import { useQueryParams } from '../../query-params.ts'
import { AskOperator } from './AskOperator.tsx'
import { FromCheckout } from './FromCheckout.tsx'
import { OfferList } from './OfferList.tsx'
import { PackTable } from './PackTable.tsx'
import { Plan } from './Plan.tsx'
import { Portal } from './Portal.tsx'
import { WhatDeveloperAdds } from './WhatDeveloperAdds.tsx'
import './billing.css'

const waitingIntervalMs = 2_000

export default function BillingPage() {
  // The query that the payment provider's page adds when it leads back. It is said once: not after a reload.
  const [params, change] = useQueryParams()
  const [outcome] = useState(() => params.get('checkout'))
  useEffect(() => {
    if (params.has('checkout')) change({ checkout: null })
  })
  const [isWaiting, setWaiting] = useState(outcome === 'done')
  const {
    data: billing,
    error,
    refetch,
  } = useQuery({
    ...askData('GET /billing'),
    // What was just paid for appears when its payment is reported.
    refetchInterval: isWaiting ? waitingIntervalMs : false,
  })
  const { data: me } = useSession()
  const isOwner = me?.account?.role === 'owner'
  const retry = () => void refetch()
  return (
    <>
      <AccountHeader
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
          {billing.provider === 'test' && (
            <p className="notice" data-tone="warn">
              <strong>Test mode: nobody pays.</strong> Whoever signs up here can add requests. Only packs are
              on sale. Switch test mode off before strangers reach this server.
            </p>
          )}
          <Plan billing={billing} />
          {billing.provider === 'none' ? (
            <>
              {billing.plan === 'free' && (
                <section className="stack" aria-labelledby="adds">
                  <h2 id="adds">What the Developer plan adds</h2>
                  <WhatDeveloperAdds />
                </section>
              )}
              <AskOperator contact={billing.contact} accountId={me?.account?.id ?? ''} />
            </>
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
