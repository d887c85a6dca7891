import type { Schemas } from '../../../contract/index.ts'
import { usePortal } from '../../api/billing.ts'
import { Button } from '../../components/Button.tsx'
import { FormError } from '../../components/FormError.tsx'
import { Contact } from './Contact.tsx'

/** A link to the provider's page with invoices and cards. */
export function Portal({ billing, isOwner }: { billing: Schemas['Billing']; isOwner: boolean }) {
  const { contact, has_portal: hasPortal } = billing
  const { error, isPending, mutate } = usePortal()
  return (
    <section className="stack" aria-labelledby="portal">
      <h2 id="portal">Invoices and cards</h2>
      {hasPortal ? (
        <>
          <p className="soft">Stripe keeps them. There you also cancel the plan.</p>
          <FormError error={error} />
          <div>
            <Button busy={isPending} disabled={!isOwner} onClick={() => mutate()}>
              Open Stripe
            </Button>
            {!isOwner && <span className="hint"> For owners of the account.</span>}
          </div>
        </>
      ) : (
        <p className="soft">They are here once something was bought.</p>
      )}
      {contact !== null && (
        <p className="soft">
          Questions, or a larger plan: <Contact contact={contact} />
        </p>
      )}
    </section>
  )
}
