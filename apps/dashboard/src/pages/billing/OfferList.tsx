import { useId } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { useCheckout } from '../../api/billing.ts'
import { Button } from '../../components/Button.tsx'
import { Field } from '../../components/Field.tsx'
import { Form } from '../../components/Form.tsx'
import { FormError } from '../../components/FormError.tsx'
import { language } from '../../components/language.ts'

type Offer = Schemas['Offer']

export interface OfferListProps {
  billing: Schemas['Billing']
  isOwner: boolean
  onRetry: () => void
}

/** The offers. The provider's pages take the payment. */
export function OfferList({ billing, isOwner, onRetry }: OfferListProps) {
  const { offers, subscriptions } = billing
  const hasDeveloper = subscriptions.some(({ plan, current }) => plan === 'developer' && current)
  return (
    <section className="stack" aria-labelledby="buy">
      <h2 id="buy">Buy</h2>
      {!isOwner && <p className="soft">Only an owner of the account can buy.</p>}
      {offers === null ? (
        <div className="notice" data-tone="warn" role="alert">
          <p>The payment provider cannot be reached at the moment. What you have goes on as before.</p>
          <Button onClick={onRetry}>Try again</Button>
        </div>
      ) : (
        <ul className="offers">
          {offers
            .filter(({ item }) => item !== 'developer' || !hasDeveloper)
            .map((offer) => (
              <li key={offer.item}>
                <OfferCard offer={offer} isOwner={isOwner} />
              </li>
            ))}
        </ul>
      )}
    </section>
  )
}

const packsMax = 20

function OfferCard({ offer, isOwner }: { offer: Offer; isOwner: boolean }) {
  const { error, isPending, mutate } = useCheckout()
  const id = useId()
  const { item, label, interval } = offer
  const isPack = item === 'pack'
  return (
    <Form
      className="offer stack"
      aria-labelledby={id}
      onSend={({ quantity }) => mutate(isPack ? { item, quantity: Number(quantity) } : { item })}
    >
      <h3 id={id}>{isPack ? 'Pack' : 'Developer plan'}</h3>
      <p>{label}</p>
      <p>
        <span className="offer-price">{priceText(offer)}</span>
        {interval !== null && <span className="soft"> a {interval}, until you cancel</span>}
      </p>
      {isPack && (
        <div className="offer-quantity">
          <Field
            label="How many"
            name="quantity"
            type="number"
            defaultValue={1}
            min={1}
            max={packsMax}
            step={1}
            required
            disabled={!isOwner}
          />
        </div>
      )}
      <FormError error={error} />
      <div>
        <Button type="submit" kind="primary" busy={isPending} disabled={!isOwner}>
          {isPack ? 'Buy packs' : 'Subscribe to Developer'}
        </Button>
      </div>
    </Form>
  )
}

function priceText({ amount, currency }: Offer): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(Number(amount))
}
