import { useId, useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { useCheckout } from '../../api/billing.ts'
import { Button } from '../../components/Button.tsx'
import { FormError } from '../../components/FormError.tsx'

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
  const [quantity, setQuantity] = useState(1)
  const id = useId()
  const isPack = offer.item === 'pack'
  const title = isPack ? 'Pack' : 'Developer plan'
  return (
    <form
      className="offer stack"
      aria-labelledby={id}
      onSubmit={(event) => {
        event.preventDefault()
        mutate(isPack ? { item: offer.item, quantity } : { item: offer.item })
      }}
    >
      <h3 id={id}>{title}</h3>
      <p>{offer.label}</p>
      <p>
        <span className="offer-price">{priceText(offer)}</span>
        {offer.interval !== null && <span className="soft"> a {offer.interval}, until you cancel</span>}
      </p>
      {isPack && (
        <div className="field offer-quantity">
          <label htmlFor={`${id}-quantity`}>How many</label>
          <input
            id={`${id}-quantity`}
            type="number"
            min={1}
            max={packsMax}
            step={1}
            required
            value={Number.isNaN(quantity) ? '' : quantity}
            disabled={!isOwner}
            onChange={(event) => setQuantity(event.target.valueAsNumber)}
          />
        </div>
      )}
      <FormError error={error} />
      <div>
        <Button type="submit" kind="primary" busy={isPending} disabled={!isOwner}>
          {isPack ? 'Buy packs' : 'Subscribe to Developer'}
        </Button>
      </div>
    </form>
  )
}

function priceText({ amount, currency }: Offer): string {
  return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(Number(amount))
}
