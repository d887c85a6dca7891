import { useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { useAction } from '../../api/queries.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { confirming } from '../../components/Toast.tsx'
import { FilterFields } from './FilterFields.tsx'

/** Of which changes a webhook is told from now on. */
export function FilterDialog({ webhook, onClose }: { webhook: Schemas['Webhook']; onClose: () => void }) {
  const [filter, setFilter] = useState(webhook.filter)
  const { error, isPending, mutate } = useAction('PATCH /webhooks/{id}')
  const done = confirming('The filter holds from the next change on.', onClose)
  return (
    <FormDialog
      title="Which changes"
      action="Save"
      busy={isPending}
      error={error}
      onSend={() => mutate({ path: { id: webhook.id }, body: { filter } }, { onSuccess: done })}
      onClose={onClose}
    >
      <p>
        A change is sent when it fits everything that is set here. What is queued already is sent as it is.
      </p>
      <FilterFields value={filter} onChange={setFilter} />
    </FormDialog>
  )
}
