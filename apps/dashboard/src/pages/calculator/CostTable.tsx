import { formatAmount, formatCount, formatNumber, formatRetirement } from '@ratecard/contract/wording'
import { companyName } from '@ratecard/contract/model-name'
import { multiplyDecimals, roundDecimal } from '@ratecard/contract/decimal'
import { Link } from 'wouter'
import { Badge } from '../../components/Badge.tsx'
import { Table, type Column } from '../../components/Table.tsx'
import type { PlatformCost, RequestUse } from './use.ts'

const daysOfMonth = '30'
const decimalsOfSum = 2
/** One request costs fractions of a cent. */
const decimalsOfOne = 6

export interface CostTableProps {
  /** Cheapest first. */
  costs: readonly PlatformCost[]
  use: RequestUse
  period: 'day' | 'month'
}

export function CostTable({ costs, use, period }: CostTableProps) {
  const priced = costs.filter(({ cost }) => cost !== null)
  // Cheaper than another in its currency.
  const isFirst = (one: PlatformCost) => one === priced[0] && priced[1]?.price.currency === one.price.currency
  const columns: Column<PlatformCost>[] = [
    { label: 'A request', isNumber: true, cell: (one) => sumText(one, one.ofOne, decimalsOfOne) },
  ]
  if (period === 'day')
    columns.push({
      label: 'A day',
      isNumber: true,
      cell: (one) => <strong>{sumText(one, one.cost, decimalsOfSum)}</strong>,
    })
  columns.push(
    {
      label: 'A month',
      isNumber: true,
      cell: (one) => {
        const month =
          one.cost === null || period === 'month' ? one.cost : multiplyDecimals(one.cost, daysOfMonth)
        return <strong>{sumText(one, month, decimalsOfSum)}</strong>
      },
    },
    { label: 'Notes', cell: (one) => <Notes one={one} period={period} /> },
  )
  return (
    <>
      <p role="status">
        {formatCount(Number(use.requests), 'request')} {period === 'day' ? 'a day' : 'a month'}:{' '}
        {tokensText(use.input, use.requests)} input and {tokensText(use.output, use.requests)} output tokens.{' '}
        {priced.length} of {formatCount(costs.length, 'price')} {priced.length === 1 ? 'says' : 'say'} what
        that costs.
      </p>
      <Table<PlatformCost>
        caption="Costs by platform, cheapest first"
        rows={costs}
        rowKey={({ price }) => price.resource_id}
        columns={[
          {
            label: 'Platform',
            cell: (one) => (
              <div className="calculator-platform">
                <Link href={`/prices?record=${encodeURIComponent(one.price.resource_id)}`}>
                  {companyName(one.price.platform ?? 'unknown')}
                </Link>{' '}
                {one.price.region !== null && <span className="chip">{one.price.region}</span>}{' '}
                {isFirst(one) && <Badge tone="good">cheapest</Badge>}
                <span className="hint mono">{one.price.resource_id}</span>
              </div>
            ),
          },
          ...columns,
        ]}
      />
      <p className="soft">
        Based on listed prices; no discounts assumed. “Not priced” means unknown, not free. Long prompts,
        batches and request fees are included where the rate card has them; cache writes, searches and taxes
        are not. A month is {daysOfMonth} days.
      </p>
    </>
  )
}

function sumText({ price, atHours }: PlatformCost, cost: string | null, decimals: number) {
  if (cost === null) return <span className="soft">{atHours.length > 0 ? 'by the hour' : 'not priced'}</span>
  const rounded = roundDecimal(cost, decimals)
  // Something that is paid is never shown as nothing.
  if (Number(rounded) === 0 && Number(cost) > 0)
    return `under ${formatAmount(`1e-${decimals}`, price.currency)}`
  return formatAmount(rounded, price.currency)
}

function tokensText(tokens: string, requests: string): string {
  return formatNumber(Number(multiplyDecimals(tokens, requests)))
}

/** What the sum stands on, and when it would be another. */
function Notes({ one, period }: { one: PlatformCost; period: 'day' | 'month' }) {
  const { price, missing, missingLong, isLong, atHours, ahead } = one
  const each = period === 'day' ? 'a day' : 'a month'
  const notes = [
    missing.length > 0 && `No price of ${missing.join(' and ')} is known here.`,
    missingLong.length > 0 && `No price of ${missingLong.join(' and ')} is known for prompts this long.`,
    isLong && 'At the rates of long prompts.',
    ...atHours.map(({ hours, cost }) => [
      hours === null ? 'At other hours: ' : `At ${hours} UTC: `,
      sumText(one, cost, decimalsOfSum),
      ` ${each}.`,
    ]),
    ahead && [`From ${ahead.starts_on}: `, sumText(one, ahead.cost, decimalsOfSum), ` ${each}.`],
    price.gone_since !== null && 'No source has this price any more.',
    price.retires_on !== null && `The model ${formatRetirement(price.retires_on)}.`,
    price.is_confirmed === false && one.cost !== null && 'It is not confirmed.',
  ].filter((note) => note !== false && note !== null)
  if (notes.length === 0) return <span className="soft">–</span>
  return (
    <ul className="hint">
      {notes.map((note, index) => (
        <li key={index}>{note}</li>
      ))}
    </ul>
  )
}
