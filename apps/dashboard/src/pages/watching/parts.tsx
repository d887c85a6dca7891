import {
  amountFields,
  formatAmount,
  formatAmountUnit,
  formatRetirement,
  listAmounts,
} from '@ratecard/contract/wording'
import { companyName } from '@ratecard/contract/model-name'
import type { Schemas } from '../../../contract/index.ts'
import { Time } from '../../components/Time.tsx'
import { changePage, recordPage } from '../../public-pages.ts'

// What is said of a thing that is watched, on its page and on the overview.

type Watch = Schemas['Watch']

/** The amounts that people compare; of a model that has none of tokens its own. */
export function Cheapest({ price }: { price: Watch['cheapest'] }) {
  if (price === null) return <span className="soft">no price is known</span>
  return (
    <span className="watch-cell">
      <span className="watch-price">{priceText(price)}</span>
      <span className="hint">
        {isPerToken(price) && 'in / out per 1M '}on{' '}
        <a href={recordPage(price.resource_id)}>{companyName(price.platform)}</a>
      </span>
    </span>
  )
}

type Price = NonNullable<Watch['cheapest']>

function isPerToken(price: Price): boolean {
  return price.input_per_mtok !== null || price.output_per_mtok !== null
}

function priceText(price: Price): string {
  const { input_per_mtok: input, output_per_mtok: output, currency } = price
  if (isPerToken(price)) {
    return `${formatAmount(input, currency)} / ${formatAmount(output, currency)}`
  }
  const field = amountFields.find((name) => price[name] !== null)
  return field === undefined
    ? 'amount not stated'
    : `${formatAmount(price[field], currency)} ${formatAmountUnit(field)}`
}

export function LastChange({ change }: { change: Watch['last_change'] }) {
  if (change === null) return <span className="soft">none yet</span>
  return (
    <span className="watch-cell">
      <a href={changePage(change.id)}>{change.title}</a>
      <span className="hint">
        <Time value={change.at} /> · severity {change.severity} of 5
      </span>
    </span>
  )
}

export function Announced({ watch: { announced, retires_on: retiresOn } }: { watch: Watch }) {
  if (announced === null && retiresOn === null) return null
  return (
    <span className="watch-cell">
      {announced && <a href={recordPage(announced.resource_id)}>{announcedText(announced)}</a>}
      {announced && <span className="hint">from {announced.starts_on}</span>}
      {retiresOn && <span>{formatRetirement(retiresOn)}</span>}
    </span>
  )
}

/** A source announces what moves alone. */
function announcedText(announced: NonNullable<Watch['announced']>): string {
  const stated = amountFields.filter((field) => announced[field] !== null)
  if (stated.length === 0) return 'another price'
  return listAmounts(stated.slice(0, 2), announced, announced.currency)
}
