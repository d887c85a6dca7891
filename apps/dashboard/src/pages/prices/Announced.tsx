import {
  type AmountField,
  amountFields,
  formatAmount,
  formatAmountUnit,
  formatMove,
  nameAmount,
} from '@ratecard/contract/wording'
import type { Schemas } from '../../../contract/index.ts'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { Section } from './Section.tsx'

export interface AnnouncedProps {
  prices: readonly Schemas['AnnouncedPrice'][]
  /** What is served now. */
  amounts: Schemas['Amounts']
  currency: string | null
}

/** Prices that begin on a later day, against those of today. */
export function Announced({ prices, amounts, currency }: AnnouncedProps) {
  if (prices.length === 0) return null
  return (
    <Section title="Announced">
      <Table<Schemas['AnnouncedPrice']>
        caption="Announced prices"
        rows={prices}
        rowKey={({ source, starts_on }) => `${source} ${starts_on}`}
        columns={[
          { label: 'From', cell: ({ starts_on }) => starts_on },
          {
            label: 'Price then',
            cell: (price) => (
              <ul>
                {movedFields(price.amounts, amounts).map((field) => (
                  <li key={field}>
                    {nameAmount(field)} {formatAmount(amounts[field], currency)} →{' '}
                    <strong>{formatAmount(price.amounts[field], currency)}</strong>{' '}
                    <span className="hint">
                      {formatAmountUnit(field)} {formatMove(amounts[field], price.amounts[field])}
                    </span>
                  </li>
                ))}
              </ul>
            ),
          },
          {
            label: 'Said by',
            cell: ({ source, learned_at }) => (
              <>
                {source}, known since <Time value={learned_at} />
              </>
            ),
          },
        ]}
      />
    </Section>
  )
}

/** The amounts that move; where none does, all that are stated. */
function movedFields(then: Schemas['Amounts'], now: Schemas['Amounts']): AmountField[] {
  const stated = amountFields.filter((field) => then[field] !== null)
  const moved = stated.filter((field) => Number(then[field]) !== Number(now[field] ?? Number.NaN))
  return moved.length > 0 ? moved : stated
}
