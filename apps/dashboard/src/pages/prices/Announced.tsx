import type { Schemas } from '../../../contract/index.ts'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { percentText } from '../changes/words.ts'
import { Section } from './Section.tsx'
import { amountFields, amountName, amountUnit, exactAmountText, type AmountField } from './words.ts'

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
                    {amountName(field)} {exactAmountText(amounts[field], currency)} →{' '}
                    <strong>{exactAmountText(price.amounts[field], currency)}</strong>{' '}
                    <span className="hint">
                      {amountUnit(field)} {share(amounts[field], price.amounts[field])}
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

function share(before: string | null, after: string | null): string {
  if (before === null || after === null || Number(before) === 0 || before === after) return ''
  return percentText((100 * (Number(after) - Number(before))) / Number(before))
}
