import { formatCount } from '@ratecard/contract/wording'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { useWebhooks } from '../../api/webhooks.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog, DialogActions } from '../../components/Dialog.tsx'
import { MoreButton } from '../../components/MoreButton.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { EmptyState, ErrorState, Skeleton, replaces } from '../../components/states.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { CreateWebhookDialog } from './dialogs.tsx'
import { WebhookState } from './WebhookState.tsx'
import { filterWords, webhookName } from './words.ts'
import './webhooks.css'

export default function WebhooksPage() {
  // Decided when the button is pressed: the dialog must not change while it shows the secret of the last one.
  const [opened, setOpened] = useState<'form' | 'limit' | null>(null)
  const { data } = useWebhooks()
  const { active = 0, active_max: max } = data?.pages[0] ?? {}
  const create = () => setOpened(max != null && active >= max ? 'limit' : 'form')
  const close = () => setOpened(null)
  return (
    <>
      <PageHeader
        title="Webhooks"
        about="When a price changes, your program is told: a signed POST to an address of yours."
      >
        {max !== undefined && max !== 0 && (
          <Button kind="primary" onClick={create}>
            Add a webhook
          </Button>
        )}
      </PageHeader>
      <WebhookList onCreate={create} />
      {opened === 'form' && <CreateWebhookDialog onClose={close} />}
      {opened === 'limit' && <LimitReached max={max ?? 0} onClose={close} />}
    </>
  )
}

function WebhookList({ onCreate }: { onCreate: () => void }) {
  const query = useWebhooks()
  const { data, error, refetch } = query
  if (replaces(error, data)) return <ErrorState error={error} onRetry={() => void refetch()} />
  const [first] = data?.pages ?? []
  if (!data || !first) return <Skeleton />
  const { active, active_max: max } = first
  const webhooks = data.pages.flatMap((page) => page.data)
  return (
    <>
      {max === 0 && <Upgrade />}
      {max !== 0 && webhooks.length === 0 && (
        <EmptyState title="No webhooks yet">
          <p>
            Without one your programs have to ask for changes. Add an address that takes a POST, try it out
            with a test, and copy the code that checks its signature.
          </p>
          <Button kind="primary" onClick={onCreate}>
            Add the first webhook
          </Button>
        </EmptyState>
      )}
      {webhooks.length > 0 && (
        <>
          <p className="soft">
            {max === null ? `${active} active webhooks.` : `${active} of ${max} active webhooks.`}
          </p>
          <WebhookTable webhooks={webhooks} />
          <MoreButton of={query}>More webhooks</MoreButton>
        </>
      )}
    </>
  )
}

/** Said before the form is filled in, not after. */
function LimitReached({ max, onClose }: { max: number; onClose: () => void }) {
  return (
    <Dialog title="All your webhooks are in use" onClose={onClose}>
      <p>
        Your plan allows {formatCount(max, 'active webhook')}. Switch one off or delete one to add another, or{' '}
        <a href="/plans">upgrade</a>.
      </p>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Upgrade() {
  return (
    <EmptyState title="Your plan does not include webhooks">
      <p>With the Developer plan, two addresses of yours are told of every change.</p>
      <a className="button" data-kind="primary" href="/plans">
        See the plans
      </a>
    </EmptyState>
  )
}

function WebhookTable({ webhooks }: { webhooks: Schemas['Webhook'][] }) {
  return (
    <Table
      caption="Webhooks of this account"
      rows={webhooks}
      rowKey={({ id }) => id}
      columns={[
        {
          label: 'Webhook',
          cell: (webhook) => (
            <>
              <Link className="breaks" href={`/webhooks/${webhook.id}`}>
                {webhookName(webhook)}
              </Link>
              {webhook.name !== null && <span className="under breaks">{webhook.url}</span>}
            </>
          ),
        },
        { label: 'Told of', cell: ({ filter }) => <span className="breaks">{filterWords(filter)}</span> },
        { label: 'State', cell: (webhook) => <WebhookState of={webhook} /> },
        { label: 'Last delivery', cell: ({ last_success_at }) => <Time value={last_success_at} /> },
        { label: 'Added', cell: ({ created_at }) => <Time value={created_at} /> },
      ]}
    />
  )
}
