import { formatCount, formatNumber } from '@ratecard/contract/wording'
import { useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { useAction } from '../../api/queries.ts'
import { Button } from '../../components/Button.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { SelectField } from '../../components/SelectField.tsx'
import { toast } from '../../components/Toast.tsx'

const countedMax = 1_000

const spans = [
  { value: '3600000', label: 'Of the last hour' },
  { value: '86400000', label: 'Of the last 24 hours' },
  { value: '604800000', label: 'Of the last 7 days' },
]

/** How many alerts failed and are not on their way again, with the button that sends them. */
export function FailedAlerts({ webhook: { id, failed_count: count = 0 } }: { webhook: Schemas['Webhook'] }) {
  const [isAsking, setAsking] = useState(false)
  // The count is 0 before the dialog has its answer: it stays until it has said what was sent.
  if (count === 0 && !isAsking) return null
  const many =
    count >= countedMax ? `${formatNumber(countedMax)} alerts or more` : formatCount(count, 'alert')
  return (
    <div className="row">
      <span>{many} did not arrive.</span>
      <Button onClick={() => setAsking(true)}>Send all failed again</Button>
      {isAsking && <ResendDialog id={id} onClose={() => setAsking(false)} />}
    </div>
  )
}

function ResendDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const [span, setSpan] = useState<string | null>(null)
  const { error, isPending, mutate } = useAction('POST /webhooks/{id}/resend-failed')
  const done = ({ resent, left }: Schemas['Resent']) => {
    const more = left > 0 ? ` ${formatCount(left, 'alert')} are left: press again for the next.` : ''
    toast(
      resent === 0 ? 'Nothing failed in that time.' : `Sent again: ${formatCount(resent, 'alert')}.${more}`,
    )
    onClose()
  }
  const send = () => {
    const body = span === null ? {} : { since: instantBefore(Number(span)) }
    mutate({ path: { id }, body }, { onSuccess: done })
  }
  return (
    <FormDialog
      title="Send all failed again"
      action="Send"
      busy={isPending}
      error={error}
      onSend={send}
      onClose={onClose}
    >
      <p>
        Each alert that failed goes out once more, as a new delivery with the same changes: the oldest first,
        at most 100 at a time.
      </p>
      <SelectField label="Which" none="All that are known" value={span} onChange={setSpan} options={spans} />
    </FormDialog>
  )
}

/** As the server writes instants, with six decimals. */
function instantBefore(spanMs: number): string {
  return new Date(Date.now() - spanMs).toISOString().replace('Z', '000Z')
}
