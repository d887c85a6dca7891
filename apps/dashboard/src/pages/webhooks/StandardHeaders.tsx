import type { Schemas } from '../../../contract/index.ts'
import { useAction } from '../../api/queries.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { FormError } from '../../components/FormError.tsx'
import { toast } from '../../components/Toast.tsx'
import { standardSnippet } from './snippets.ts'

/** Whether deliveries have the headers of Standard Webhooks too, for receivers that use a library of that standard. */
export function StandardHeaders({ webhook }: { webhook: Schemas['Webhook'] }) {
  const isOn = webhook.standard_headers
  const { error, isPending, mutate } = useAction('PATCH /webhooks/{id}')
  const done = () => toast(isOn ? 'The standard headers are left out.' : 'The standard headers are sent too.')
  const change = () =>
    mutate({ path: { id: webhook.id }, body: { standard_headers: !isOn } }, { onSuccess: done })
  return (
    <section className="stack part">
      <h2>Standard Webhooks</h2>
      <p className="soft">
        Deliveries and tests can carry <code>webhook-id</code>, <code>webhook-timestamp</code> and{' '}
        <code>webhook-signature</code> beside our headers, so that any library of Standard Webhooks verifies
        them. The key is the UTF-8 bytes of your secret: give it to such a library as <code>whsec_</code> and
        the base64 of these bytes.
      </p>
      <div className="row">
        <Badge tone={isOn ? 'good' : undefined}>{isOn ? 'sent' : 'not sent'}</Badge>
        <Button onClick={change} busy={isPending}>
          {isOn ? 'Stop sending the standard headers' : 'Send the standard headers'}
        </Button>
        <FormError error={error} />
      </div>
      {isOn && (
        <>
          <CodeBlock code={`npm install ${standardSnippet.install}`} what="standard command" />
          <p>
            <code>{standardSnippet.file}</code>, with the secret in the variable{' '}
            <code>RATECARD_WEBHOOK_SECRET</code>:
          </p>
          <CodeBlock code={standardSnippet.code} what="standard code" />
        </>
      )}
    </section>
  )
}
