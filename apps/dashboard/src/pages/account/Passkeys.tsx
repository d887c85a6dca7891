import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { ApiFailure } from '../../api/client.ts'
import { useSession } from '../../api/me.ts'
import { useAddPasskey } from '../../api/passkeys.ts'
import { askData, useAction } from '../../api/queries.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { Field, notBlank } from '../../components/Field.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { FormError } from '../../components/FormError.tsx'
import { ErrorState, Skeleton } from '../../components/states.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { confirming } from '../../components/Toast.tsx'
import { browserName } from './browser-name.ts'
import { PasswordForm } from './PasswordForm.tsx'

type Passkey = Schemas['Passkey']

/** As many as a user may have. */
const passkeysMax = 10

/** Lists the user's passkeys; adds, renames and removes them. */
export function Passkeys() {
  const { data: me } = useSession()
  const { data, error, refetch } = useQuery(askData('GET /passkeys'))
  const [open, setOpen] = useState<{ what: 'add' } | { what: 'rename' | 'remove'; passkey: Passkey } | null>(
    null,
  )
  const onClose = () => setOpen(null)
  return (
    <section className="stack" aria-labelledby="passkeys">
      <h2 id="passkeys">Passkeys</h2>
      <p>A passkey signs you in without the password and without a code, by your finger, face or PIN.</p>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton rows={1} />
      ) : (
        <>
          {data.length > 0 && (
            <Table
              caption="Your passkeys"
              rows={data}
              rowKey={({ id }) => id}
              columns={[
                { label: 'Name', cell: ({ name }) => <span className="email">{name}</span> },
                { label: 'Added', cell: ({ created_at }) => <Time value={created_at} /> },
                { label: 'Last used', cell: ({ last_used_at }) => <Time value={last_used_at} /> },
                {
                  label: 'Actions',
                  cell: (passkey) => (
                    <div className="row">
                      <Button size="small" onClick={() => setOpen({ what: 'rename', passkey })}>
                        Rename<span className="visually-hidden"> {passkey.name}</span>
                      </Button>
                      <Button size="small" kind="danger" onClick={() => setOpen({ what: 'remove', passkey })}>
                        Remove<span className="visually-hidden"> {passkey.name}</span>
                      </Button>
                    </div>
                  ),
                },
              ]}
            />
          )}
          {!browserSupportsWebAuthn() ? (
            <p className="soft">This browser has no passkeys.</p>
          ) : data.length < passkeysMax ? (
            <div>
              <Button onClick={() => setOpen({ what: 'add' })}>Add a passkey</Button>
            </div>
          ) : (
            <p className="soft">You have {passkeysMax}, as many as one may have.</p>
          )}
        </>
      )}
      {open?.what === 'add' && me && <AddDialog user={me.user} onClose={onClose} />}
      {open?.what === 'rename' && <RenameDialog passkey={open.passkey} onClose={onClose} />}
      {open?.what === 'remove' && <RemoveDialog passkey={open.passkey} onClose={onClose} />}
    </section>
  )
}

function AddDialog({ user, onClose }: { user: Schemas['User']; onClose: () => void }) {
  const { error, isPending, mutate } = useAddPasskey()
  const [name, setName] = useState(browserName(navigator.userAgent))
  // Else it is of the device, and says nothing of the password.
  const isOfServer = error instanceof ApiFailure
  const done = confirming('The passkey is added.', onClose)
  return (
    <Dialog title="Add a passkey" onClose={onClose}>
      <PasswordForm
        action="Continue"
        asksCode={user.has_second_factor}
        error={isOfServer ? error : null}
        busy={isPending}
        onSend={(password, code) =>
          mutate({ name: name.trim(), user, password, ...(code !== '' && { code }) }, { onSuccess: done })
        }
        onClose={onClose}
      >
        <p>Your device asks for your finger, face or PIN next.</p>
        <Field
          label="Name"
          hint="By which you know it again."
          value={name}
          onChange={({ target }) => setName(target.value)}
          required
          maxLength={100}
          {...notBlank}
        />
        <FormError error={isOfServer ? null : error} />
      </PasswordForm>
    </Dialog>
  )
}

function RenameDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const path = { id: passkey.id }
  const { error, isPending, mutate } = useAction('PATCH /passkeys/{id}')
  return (
    <FormDialog
      title="Rename the passkey"
      action="Rename"
      busy={isPending}
      onSend={({ name = '' }) => mutate({ path, body: { name: name.trim() } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Field
        label="Name"
        name="name"
        defaultValue={passkey.name}
        error={error?.message ?? null}
        required
        maxLength={100}
        {...notBlank}
      />
    </FormDialog>
  )
}

function RemoveDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { error, isPending, mutate } = useAction('POST /passkeys/{id}/remove')
  const done = confirming('The passkey is removed. All other sessions have ended.', onClose)
  return (
    <Dialog title="Remove the passkey?" onClose={onClose}>
      <PasswordForm
        action="Remove"
        kind="danger"
        error={error}
        busy={isPending}
        onSend={(password) => mutate({ path: { id: passkey.id }, body: { password } }, { onSuccess: done })}
        onClose={onClose}
      >
        <p>
          {passkey.name} does not sign you in any more, and all other sessions end. Remove it on the device
          too.
        </p>
      </PasswordForm>
    </Dialog>
  )
}
