import { Link } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { useResendDelivery } from '../../api/webhooks.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { FormError } from '../../components/FormError.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { toast } from '../../components/Toast.tsx'
import { countText } from '../../components/language.ts'
import { deliveryStates, milliseconds } from './words.ts'

type Delivery = Schemas['Delivery']

/** A delivery in a line. It opens to its changes, its attempts, and the button that sends it again. */
export function DeliveryEntry({ delivery }: { delivery: Delivery }) {
  const { word, tone } = deliveryStates[delivery.state]
  const last = delivery.log.at(-1)
  return (
    <li>
      <details>
        <summary>
          <Badge tone={tone}>{word}</Badge>
          <span>
            <Time value={delivery.created_at} />
          </span>
          <span className="soft">
            {countOf(delivery.change_ids.length, 'change')}, {countOf(delivery.attempts, 'attempt')}
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
          <ChangeLinks ids={delivery.change_ids} />
          <p className="soft">
            Delivery <code>{delivery.id}</code>, the <code>x-svc-delivery</code> of the request.
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

const linksMax = 10

function ChangeLinks({ ids }: { ids: string[] }) {
  return (
    <p>
      It tells of{' '}
      {ids.slice(0, linksMax).map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link href={`/changes/${encodeURIComponent(id)}`}>{id}</Link>
        </span>
      ))}
      {ids.length > linksMax && ` and ${ids.length - linksMax} more`}.
    </p>
  )
}

function Resend({ id }: { id: string }) {
  const { mutate, error, isPending } = useResendDelivery()
  const resend = () => mutate(id, { onSuccess: () => toast('It is sent again, as a new delivery.') })
  return (
    <div className="row">
      <Button onClick={resend} busy={isPending}>
        Send again
      </Button>
      <FormError error={error} />
    </div>
  )
}

function countOf(count: number, what: string): string {
  return `${countText(count)} ${what}${count === 1 ? '' : 's'}`
}
