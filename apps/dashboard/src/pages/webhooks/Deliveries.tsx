import { useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { useDeliveries } from '../../api/webhooks.ts'
import { MoreButton } from '../../components/MoreButton.tsx'
import { SelectField } from '../../components/SelectField.tsx'
import { EmptyState, ErrorState, Skeleton, replaces } from '../../components/states.tsx'
import { DeliveryEntry } from './DeliveryEntry.tsx'
import { FailedAlerts } from './FailedAlerts.tsx'
import { deliveryStates } from './words.ts'

type State = Schemas['DeliveryState']

const options = (Object.keys(deliveryStates) as State[]).map((value) => ({
  value,
  label: deliveryStates[value].word,
}))

/** The deliveries to a webhook, newest first, each with its attempts. */
export function Deliveries({ webhook }: { webhook: Schemas['Webhook'] }) {
  const webhookId = webhook.id
  const [state, setState] = useState<State | null>(null)
  return (
    <section className="stack part">
      <h2>Deliveries</h2>
      <FailedAlerts webhook={webhook} />
      <div className="short">
        <SelectField
          label="State"
          value={state}
          onChange={(value) => setState(value as State | null)}
          options={options}
          none="All states"
        />
      </div>
      <DeliveryList webhookId={webhookId} state={state} />
    </section>
  )
}

function DeliveryList({ webhookId, state }: { webhookId: string; state: State | null }) {
  const query = useDeliveries(webhookId, state)
  const { data, error, refetch } = query
  if (replaces(error, data)) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton />
  const deliveries = data.pages.flatMap((page) => page.data)
  if (deliveries.length === 0) {
    return state === null ? (
      <EmptyState title="Nothing was sent yet">
        <p>The next change of a price will be here. Send a test to try the endpoint out.</p>
      </EmptyState>
    ) : (
      <EmptyState title={`No deliveries are ${deliveryStates[state].word}`}>
        <p>Choose another state to see others.</p>
      </EmptyState>
    )
  }
  return (
    <>
      <ul className="entries">
        {deliveries.map((delivery) => (
          <DeliveryEntry key={delivery.id} delivery={delivery} />
        ))}
      </ul>
      <MoreButton of={query}>Older deliveries</MoreButton>
    </>
  )
}
