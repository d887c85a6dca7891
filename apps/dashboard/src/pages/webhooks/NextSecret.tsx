import { useAction } from '../../api/queries.ts'
import { Button } from '../../components/Button.tsx'
import { FormError } from '../../components/FormError.tsx'
import { Time } from '../../components/Time.tsx'
import { toast } from '../../components/Toast.tsx'

/** A secret that is to come: from when on it signs, and the two ways not to wait for that. */
export function NextSecret({ id, from }: { id: string; from: string }) {
  const { error, isPending, mutate } = useAction('PATCH /webhooks/{id}')
  const decide = (next_secret: 'now' | 'never', done: string) =>
    mutate({ path: { id }, body: { next_secret } }, { onSuccess: () => toast(done) })
  return (
    <div className="notice">
      <h2>A new secret is on its way</h2>
      <p>
        It signs from <Time value={from} /> on; until then the old one does. Your endpoint accepts both with{' '}
        <code>secrets: [newSecret, oldSecret]</code>.
      </p>
      <div className="row">
        <Button onClick={() => decide('now', 'The new secret signs from now on.')} busy={isPending}>
          Use it now
        </Button>
        <Button onClick={() => decide('never', 'The old secret stays.')} busy={isPending}>
          Keep the old one
        </Button>
        <FormError error={error} />
      </div>
    </div>
  )
}
