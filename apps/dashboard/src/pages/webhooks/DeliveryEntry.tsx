import { formatCount, formatNumber } from '@ratecard/contract/wording'
import { Link } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { useAction } from '../../api/queries.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { FormError } from '../../components/FormError.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { toast } from '../../components/Toast.tsx'
import { changePage } from '../../public-pages.ts'
import { deliveryStates, deliveryTitle, milliseconds } from './words.ts'

type Delivery = Schemas['Delivery']

/** A delivery in a line. It opens to its changes, its attempts, and what can be done. */
export function DeliveryEntry({ delivery }: { delivery: Delivery }) {
  const { word, tone } = deliveryStates[delivery.state]
  const last = delivery.log.at(-1)
  return (
    <li>
      <details>
        <summary>
          <Badge tone={tone}>{word}</Badge>
          <strong className="breaks">{deliveryTitle(delivery)}</strong>
          <span>
            <Time value={delivery.created_at} />
          </span>
          <span className="soft">
            {delivery.resent_from !== null && 'sent again, '}
            {formatCount(delivery.attempts, 'attempt')}
            {last && `, last ${last.status ?? last.error_class} in ${milliseconds(last.duration_ms)}`}
          </span>
        </summary>
        <div className="stack">
          {delivery.advice !== null && <p>{delivery.advice}</p>}
          {delivery.next_attempt_at !== null && (
            <p>
              Next attempt: <Time value={delivery.next_attempt_at} />
            </p>
          )}
          <Attempts of={delivery} />
          <ChangeLinks of={delivery} />
          <Again of={delivery} />
          <p>
            <Link href={`/webhooks/deliveries/${delivery.id}`}>Payload and answer of each attempt</Link>
          </p>
          {delivery.state !== 'pending' && <Resend id={delivery.id} />}
        </div>
      </details>
    </li>
  )
}

function Attempts({ of: { log } }: { of: Delivery }) {
  if (log.length === 0) return <p className="soft">No attempt yet.</p>
  return (
    <Table
      caption="Attempts of this delivery"
      rows={log}
      rowKey={({ attempt }) => attempt}
      columns={[
        { label: 'Attempt', cell: ({ attempt }) => `Attempt\u00a0${attempt}` },
        { label: 'Began', cell: ({ started_at }) => <Time value={started_at} /> },
        { label: 'Took', cell: ({ duration_ms }) => milliseconds(duration_ms) },
        { label: 'Status', cell: ({ status, error_class }) => status ?? error_class },
        { label: 'What to do', cell: ({ error }) => error ?? <span className="soft">nothing</span> },
      ]}
    />
  )
}

/** The changes of a delivery by their titles. */
export function ChangeLinks({ of: { change_ids: ids, titles } }: { of: Delivery }) {
  const left = ids.length - titles.length
  return (
    <div>
      <p className="soft">
        {ids.length === 1 ? 'Contains 1 change:' : `Contains ${formatNumber(ids.length)} changes:`}
      </p>
      <ul className="stack-tight told">
        {titles.map((title, index) => (
          <li key={ids[index]}>
            <a href={changePage(ids[index] ?? '')}>{title}</a>
          </li>
        ))}
        {left > 0 && <li>and {formatNumber(left)} more</li>}
      </ul>
    </div>
  )
}

/** Leads from a delivery to the one that it sends again, and to the one that sends it again. */
function Again({ of: { resent_from, resent_as } }: { of: Delivery }) {
  if (resent_from === null && resent_as === null) return null
  return (
    <p>
      {resent_from !== null && (
        <>
          It sends <Link href={`/webhooks/deliveries/${resent_from}`}>an earlier delivery</Link> again.{' '}
        </>
      )}
      {resent_as !== null && (
        <>
          It was sent again as <Link href={`/webhooks/deliveries/${resent_as}`}>a later delivery</Link>.
        </>
      )}
    </p>
  )
}

export function Resend({ id }: { id: string }) {
  const { mutate, error, isPending } = useAction('POST /deliveries/{id}/resend')
  const done = () => toast('It is sent again, as a new delivery.')
  return (
    <div className="row">
      <Button onClick={() => mutate({ path: { id } }, { onSuccess: done })} busy={isPending}>
        Send again
      </Button>
      <FormError error={error} />
    </div>
  )
}
