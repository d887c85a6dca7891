import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { askData } from '../../api/queries.ts'
import { useDelivery, useWebhook } from '../../api/webhooks.ts'
import { Badge } from '../../components/Badge.tsx'
import { Fact, Facts } from '../../components/Facts.tsx'
import { isMissing, MissingPage } from '../../components/MissingPage.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { ErrorState, Loaded, Skeleton } from '../../components/states.tsx'
import { Time } from '../../components/Time.tsx'
import { ChangeLinks, Resend } from './DeliveryEntry.tsx'
import { Exchange } from './Exchange.tsx'
import { deliveryStates, deliveryTitle, milliseconds, webhookName } from './words.ts'
import './webhooks.css'

type Delivery = Schemas['Delivery']

/** One delivery: what it tells of, and each attempt with what was sent and what came back. */
export default function DeliveryPage() {
  const { id = '' } = useParams<{ id: string }>()
  const query = useDelivery(id)
  const { data: delivery, error } = query
  if (isMissing(error)) return <MissingPage {...missing} />
  return (
    <>
      {delivery ? <WayBack webhookId={delivery.webhook_id} /> : <p>&nbsp;</p>}
      <PageHeader title={delivery ? deliveryTitle(delivery) : 'Delivery'} />
      <Loaded of={query} rows={8}>
        {(delivery) => <Whole delivery={delivery} />}
      </Loaded>
    </>
  )
}

const missing = {
  title: 'Delivery',
  what: 'delivery',
  why: 'Deliveries are forgotten some weeks after they ended.',
  href: '/webhooks',
  all: 'All webhooks',
}

/** A delivery outlives its webhook, which then has no page. */
function WayBack({ webhookId }: { webhookId: string }) {
  const { data: webhook } = useWebhook(webhookId)
  return (
    <p className="way-back">
      <Link href="/webhooks">Webhooks</Link>
      {webhook && (
        <>
          {' / '}
          <Link href={`/webhooks/${webhookId}`}>{webhookName(webhook)}</Link>
        </>
      )}
    </p>
  )
}

function Whole({ delivery }: { delivery: Delivery }) {
  const { word, tone } = deliveryStates[delivery.state]
  return (
    <>
      {delivery.advice !== null && (
        <div className="notice" data-tone="warn">
          <p>{delivery.advice}</p>
        </div>
      )}
      <Facts>
        <Fact name="State">
          <Badge tone={tone}>{word}</Badge>
        </Fact>
        <Fact name="Queued">
          <Time value={delivery.created_at} />
        </Fact>
        {delivery.next_attempt_at !== null && (
          <Fact name="Next attempt">
            <Time value={delivery.next_attempt_at} />
          </Fact>
        )}
        {delivery.resent_from !== null && (
          <Fact name="Sends again">
            <Link href={`/webhooks/deliveries/${delivery.resent_from}`}>an earlier delivery</Link>
          </Fact>
        )}
        {delivery.resent_as !== null && (
          <Fact name="Sent again">
            <Link href={`/webhooks/deliveries/${delivery.resent_as}`}>as a later delivery</Link>
          </Fact>
        )}
        <Fact name="x-svc-delivery">
          <code>{delivery.id}</code>
        </Fact>
      </Facts>
      <ChangeLinks of={delivery} />
      {delivery.state !== 'pending' && <Resend id={delivery.id} />}
      <section className="stack part">
        <h2>Attempts</h2>
        <p className="soft">
          What was sent and what came back is kept for 7 days, of the latest 2,000 attempts of the account.
          Secrets are never shown.
        </p>
        {delivery.log.length === 0 && <p>No attempt yet.</p>}
        <ol className="entries">
          {delivery.log.toReversed().map((attempt, index) => (
            <AttemptEntry key={attempt.attempt} id={delivery.id} attempt={attempt} isFirst={index === 0} />
          ))}
        </ol>
      </section>
    </>
  )
}

interface AttemptEntryProps {
  id: string
  attempt: Schemas['Attempt']
  isFirst: boolean
}

/** An attempt in a line. What it sent and got is read when it is opened; the latest is open. */
function AttemptEntry({ id, attempt, isFirst }: AttemptEntryProps) {
  const [isOpen, setOpen] = useState(isFirst)
  const { attempt: number, status, error_class, error, duration_ms, started_at } = attempt
  return (
    <li>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <h3>Attempt {number}</h3>
          <Badge tone={error_class === null ? 'good' : 'bad'}>{status ?? error_class}</Badge>
          <span className="soft">{milliseconds(duration_ms)}</span>
          <Time value={started_at} />
        </summary>
        <div className="stack">
          {error !== null && <p>{error}</p>}
          {isOpen && <AttemptExchange id={id} attempt={number} />}
        </div>
      </details>
    </li>
  )
}

function AttemptExchange({ id, attempt }: { id: string; attempt: number }) {
  const { data, error, isPending, refetch } = useQuery({
    ...askData('GET /deliveries/{id}/exchange', { path: { id }, query: { attempt } }),
    // It never changes.
    staleTime: 'static',
  })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (isPending) return <Skeleton rows={4} />
  if (data === null) return <p className="soft">What was sent and what came back is forgotten by now.</p>
  return <Exchange of={data} what={`attempt ${attempt}`} />
}
