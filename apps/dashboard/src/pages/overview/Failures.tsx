import { Link } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { Badge } from '../../components/Badge.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { formatTitle, webhookName } from '../webhooks/words.ts'

/** Recent alerts that were not delivered, and what to do about them. */
export function Failures({ failures }: { failures: readonly Schemas['Failure'][] }) {
  return (
    <section className="panel wide" aria-labelledby="failures">
      <header className="between">
        <h2 id="failures">Failed in the last 7 days</h2>
        <Link href="/webhooks">Webhooks</Link>
      </header>
      {failures.length === 0 ? (
        <p className="soft">No delivery to a webhook failed.</p>
      ) : (
        <Table
          caption="Deliveries whose last attempt failed"
          rows={failures}
          rowKey={({ delivery_id }) => delivery_id}
          columns={[
            {
              label: 'Webhook',
              cell: (failure) => (
                <Link className="breaks" href={`/webhooks/${failure.webhook_id}`}>
                  {webhookName(failure)}
                </Link>
              ),
            },
            {
              label: 'Told of',
              cell: ({ delivery_id, title, change_count }) => (
                <Link href={`/webhooks/deliveries/${delivery_id}`}>
                  {formatTitle(title ?? 'A change that is gone', change_count)}
                </Link>
              ),
            },
            { label: 'What went wrong', cell: ({ error }) => error },
            { label: 'Last attempt', cell: ({ at }) => <Time value={at} /> },
            {
              label: 'Next attempt',
              cell: ({ state, next_attempt_at }) =>
                state === 'exhausted' ? <Badge tone="bad">given up</Badge> : <Time value={next_attempt_at} />,
            },
          ]}
        />
      )}
    </section>
  )
}
