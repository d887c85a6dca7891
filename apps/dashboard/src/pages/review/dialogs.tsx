import { formatNumber } from '@ratecard/contract/wording'
import { useState, type ReactNode } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { useAction } from '../../api/queries.ts'
import { Field } from '../../components/Field.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { SelectField } from '../../components/SelectField.tsx'
import { toast } from '../../components/Toast.tsx'
import { movesText, outcomeText } from './words.ts'

export interface DecisionDialogProps {
  /** What is decided on: at least one. */
  holds: readonly Schemas['Hold'][]
  onDone: () => void
  onClose: () => void
}

const listedMax = 5

type As = Schemas['AcceptInput']['as']
const ways: readonly { value: As; label: string }[] = [
  { value: 'move', label: 'As moves by the vendor: subscriptions are alerted' },
  { value: 'correction', label: 'As corrections: nobody is alerted' },
]

/** Asks how moves are told, and for the password: what is accepted reaches every customer. */
export function AcceptDialog({ holds, onDone, onClose }: DecisionDialogProps) {
  const [as, setAs] = useState<As>('move')
  const { error, isPending, mutate } = useAction('POST /review/accept', { waits: false })
  const send = ({ note = '', password = '' }: Partial<Record<string, string>>) => {
    const reason = note.trim()
    mutate(
      { body: { ids: listIds(holds), as, password, ...(reason !== '' && { note: reason }) } },
      {
        onSuccess: (outcome) => {
          toast(outcomeText('accepted', outcome))
          onDone()
        },
      },
    )
  }
  return (
    <FormDialog
      title={`Accept ${movesText(holds.length)}?`}
      action="Accept"
      busy={isPending}
      error={error}
      onSend={send}
      onClose={onClose}
    >
      <Concerned holds={holds}>
        What the source states is served from now on, for as long as the source states it.
      </Concerned>
      <SelectField
        label="How it is published"
        value={as}
        options={ways}
        onChange={(value) => setAs(value === 'correction' ? 'correction' : 'move')}
      />
      <Field label="Note" hint="For the record. May be left empty." name="note" maxLength={500} />
      <PasswordField />
    </FormDialog>
  )
}

/** Asks why moves are not believed, and for the password. */
export function RejectDialog({ holds, onDone, onClose }: DecisionDialogProps) {
  const { error, isPending, mutate } = useAction('POST /review/reject', { waits: false })
  const send = ({ reason = '', password = '' }: Partial<Record<string, string>>) =>
    mutate(
      { body: { ids: listIds(holds), reason: reason.trim(), password } },
      {
        onSuccess: (outcome) => {
          toast(outcomeText('rejected', outcome))
          onDone()
        },
      },
    )
  return (
    <FormDialog
      title={`Reject ${movesText(holds.length)}?`}
      action="Reject"
      kind="danger"
      busy={isPending}
      error={error}
      onSend={send}
      onClose={onClose}
    >
      <Concerned holds={holds}>
        What is served stays. The same amounts of the same source do not wait again.
      </Concerned>
      <Field
        label="Reason"
        hint="For the record, such as “took cents for dollars”."
        name="reason"
        required
        pattern=".*\S.*"
        maxLength={500}
      />
      <PasswordField />
    </FormDialog>
  )
}

/** Whom a decision concerns, and what it does. */
function Concerned({ holds, children }: { holds: DecisionDialogProps['holds']; children: ReactNode }) {
  const more = holds.length - listedMax
  return (
    <>
      <ul className="stack-tight breaks">
        {holds.slice(0, listedMax).map(({ id, resource_id, source }) => (
          <li key={id}>
            <code>{resource_id}</code> <span className="soft">by {source}</span>
          </li>
        ))}
        {more > 0 && <li className="soft">and {formatNumber(more)} more</li>}
      </ul>
      <p>{children}</p>
    </>
  )
}

function PasswordField() {
  return (
    <Field
      label="Present password"
      name="password"
      type="password"
      autoComplete="current-password"
      required
      minLength={12}
      maxLength={128}
    />
  )
}

function listIds(holds: DecisionDialogProps['holds']): string[] {
  return holds.map(({ id }) => id)
}
