import { useState } from 'react'
import { Link, useParams } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { useAction } from '../../api/queries.ts'
import { useWebhook } from '../../api/webhooks.ts'
import { Button } from '../../components/Button.tsx'
import { Fact, Facts } from '../../components/Facts.tsx'
import { FormError } from '../../components/FormError.tsx'
import { isMissing, MissingPage } from '../../components/MissingPage.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Loaded } from '../../components/states.tsx'
import { Time } from '../../components/Time.tsx'
import { toast } from '../../components/Toast.tsx'
import { Deliveries } from './Deliveries.tsx'
import { ChangeWebhookDialog, DeleteWebhookDialog } from './dialogs.tsx'
import { RotateSecretDialog } from './RotateSecretDialog.tsx'
import { StandardHeaders } from './StandardHeaders.tsx'
import { WebhookState } from './WebhookState.tsx'
import { TestAlert } from './TestAlert.tsx'
import { Verification } from './Verification.tsx'
import { FilterDialog } from './FilterDialog.tsx'
import { NextSecret } from './NextSecret.tsx'
import { eventsInWords, filterWords, webhookName } from './words.ts'
import './webhooks.css'

export default function WebhookPage() {
  const { id = '' } = useParams<{ id: string }>()
  const query = useWebhook(id)
  const { data: webhook, error } = query
  if (isMissing(error)) return <MissingPage {...missing} />
  return (
    <>
      <p>
        <Link href="/webhooks">All webhooks</Link>
      </p>
      <PageHeader title={webhook ? webhookName(webhook) : 'Webhook'} />
      <Loaded of={query} rows={8}>
        {(webhook) => <Whole webhook={webhook} />}
      </Loaded>
    </>
  )
}

const missing = {
  title: 'Webhook',
  what: 'webhook',
  why: 'It may have been deleted.',
  href: '/webhooks',
  all: 'All webhooks',
}

function Whole({ webhook }: { webhook: Schemas['Webhook'] }) {
  return (
    <>
      {webhook.obstacle !== null && (
        <div className="notice" data-tone="warn">
          <h2>No alerts are sent here</h2>
          <p>{webhook.obstacle}</p>
        </div>
      )}
      {webhook.next_secret_at !== null && <NextSecret id={webhook.id} from={webhook.next_secret_at} />}
      <Known webhook={webhook} />
      <Actions webhook={webhook} />
      <TestAlert id={webhook.id} />
      <Deliveries webhook={webhook} />
      <Verification url={webhook.url} />
      <StandardHeaders webhook={webhook} />
    </>
  )
}

function Known({ webhook }: { webhook: Schemas['Webhook'] }) {
  return (
    <Facts>
      <Fact name="Address">
        <code>{webhook.url}</code>
      </Fact>
      <Fact name="State">
        <WebhookState of={webhook} />
      </Fact>
      <Fact name="Events">{eventsInWords(webhook.events)}</Fact>
      <Fact name="Told of">{filterWords(webhook.filter)}</Fact>
      <Fact name="Last delivery">
        <Time value={webhook.last_success_at} />
      </Fact>
      {webhook.failing_since !== null && (
        <Fact name="No success since">
          <Time value={webhook.failing_since} />
        </Fact>
      )}
      {webhook.last_error !== null && <Fact name="Last error">{webhook.last_error}</Fact>}
      <Fact name="Added">
        <Time value={webhook.created_at} />
      </Fact>
    </Facts>
  )
}

const dialogs = {
  change: ChangeWebhookDialog,
  filter: FilterDialog,
  rotate: RotateSecretDialog,
  delete: DeleteWebhookDialog,
}

function Actions({ webhook }: { webhook: Schemas['Webhook'] }) {
  const [opened, setOpened] = useState<keyof typeof dialogs | null>(null)
  const WebhookDialog = opened && dialogs[opened]
  return (
    <>
      <div className="row">
        <Switch webhook={webhook} />
        <Button onClick={() => setOpened('change')}>Change</Button>
        <Button onClick={() => setOpened('filter')}>Filter</Button>
        <Button onClick={() => setOpened('rotate')}>Replace the secret</Button>
        <Button kind="danger" onClick={() => setOpened('delete')}>
          Delete
        </Button>
      </div>
      {WebhookDialog && <WebhookDialog webhook={webhook} onClose={() => setOpened(null)} />}
    </>
  )
}

function Switch({ webhook: { id, active } }: { webhook: Schemas['Webhook'] }) {
  const { error, isPending, mutate } = useAction('PATCH /webhooks/{id}')
  const done = () => toast(active ? 'The webhook is off.' : 'The webhook is on.')
  return (
    <>
      <Button
        kind={active ? 'plain' : 'primary'}
        onClick={() => mutate({ path: { id }, body: { active: !active } }, { onSuccess: done })}
        busy={isPending}
      >
        {active ? 'Switch off' : 'Switch on'}
      </Button>
      <FormError error={error} />
    </>
  )
}
