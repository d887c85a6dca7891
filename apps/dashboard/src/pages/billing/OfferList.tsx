import { multiplyDecimals } from '@ratecard/contract/decimal'
import { formatAmount } from '@ratecard/contract/wording'
import { useId, useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { useCheckout } from '../../api/billing.ts'
import { Button } from '../../components/Button.tsx'
import { Field } from '../../components/Field.tsx'
import { Form } from '../../components/Form.tsx'
import { FormError } from '../../components/FormError.tsx'
import { WhatDeveloperAdds } from './WhatDeveloperAdds.tsx'

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
      <h2 id="buy">{hasDeveloper ? 'Add to your plan' : 'Upgrade, or add requests'}</h2>
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
  const [quantity, setQuantity] = useState('1')
  const { item, label, interval } = offer
  const isPack = item === 'pack'
  return (
    <Form
      className="offer stack"
      aria-labelledby={id}
      onSend={() => mutate(isPack ? { item, quantity: Number(quantity) } : { item })}
    >
      <h3 id={id}>{isPack ? 'Pack' : 'Developer plan'}</h3>
      <p className="soft">{label}</p>
      <p>
        <span className="offer-price">{formatAmount(offer.amount, offer.currency)}</span>
        {interval !== null && <span className="soft"> a {interval}, until you cancel</span>}
      </p>
      {isPack && (
        <div className="short">
          <Field
            label="How many"
            name="quantity"
            type="number"
            value={quantity}
            onChange={(event) => setQuantity(event.target.value)}
            min={1}
            max={packsMax}
            step={1}
            required
            disabled={!isOwner}
          />
        </div>
      )}
      {!isPack && <WhatDeveloperAdds />}
      {isPack && <Total of={offer} quantity={quantity} />}
      <FormError error={error} />
      <div>
        <Button type="submit" kind="primary" busy={isPending} disabled={!isOwner}>
          {isPack ? 'Buy packs' : 'Subscribe to Developer'}
        </Button>
      </div>
    </Form>
  )
}

/** What one pays for all of them. Nothing where the number is none that can be bought. */
function Total({ of: { amount, currency }, quantity }: { of: Offer; quantity: string }) {
  const count = Number(quantity)
  if (!Number.isInteger(count) || count < 1 || count > packsMax) return null
  return (
    <p className="hint" role="status">
      Total <strong>{formatAmount(multiplyDecimals(amount, String(count)), currency)}</strong>
    </p>
  )
}
