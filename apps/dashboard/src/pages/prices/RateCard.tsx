import {
  formatAmount,
  formatCondition,
  formatCount,
  formatRatio,
  formatUnit,
  nameMeter,
  sortRates,
} from '@ratecard/contract/wording'
import { useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { Button } from '../../components/Button.tsx'
import { Table } from '../../components/Table.tsx'
import { Section } from './Section.tsx'

export interface RateCardProps {
  rates: readonly Schemas['PriceRate'][]
  amounts: Schemas['Amounts']
  currency: string | null
}

/** Images have a rate for each size and quality: the first are what most people look for. */
const firstRates = 30

/** Every rate that fits no column: long context, batch, writes to a cache, hours, regions. */
export function RateCard({ rates, amounts, currency }: RateCardProps) {
  const [isWhole, setWhole] = useState(false)
  if (rates.length === 0) return null
  const ordered = sortRates(rates)
  const shown = isWhole ? ordered : ordered.slice(0, firstRates)
  return (
    <Section title={`Rate card · ${formatCount(rates.length, 'rate')}`}>
      <Table<Schemas['PriceRate']>
        dense
        caption="What some requests pay instead"
        rows={shown}
        rowKey={(rate) => ordered.indexOf(rate)}
        columns={[
          { label: 'When', cell: (rate) => formatCondition(rate) },
          { label: 'What', cell: ({ meter }) => nameMeter(meter) },
          {
            label: 'Amount',
            cell: (rate) => (
              <>
                {rate.unit === 'multiplier' ? `× ${rate.amount}` : formatAmount(rate.amount, currency)}{' '}
                <span className="hint">
                  {[formatUnit(rate.unit), formatRatio(amounts, rate)].filter(Boolean).join(', ')}
                </span>
                <Witnesses of={rate} currency={currency} />
              </>
            ),
          },
        ]}
      />
      {shown.length < ordered.length && (
        <div>
          <Button onClick={() => setWhole(true)}>Show all {ordered.length} rates</Button>
        </div>
      )}
    </Section>
  )
}

/** Who states it, and who states another amount. */
function Witnesses({ of, currency }: { of: Schemas['PriceRate']; currency: string | null }) {
  const { unit, said_by: saidBy, denied_by: deniedBy } = of
  const others = Object.entries(deniedBy ?? {}).map(
    ([source, amount]) =>
      `${source} states ${unit === 'multiplier' ? `× ${amount}` : formatAmount(amount, currency)}`,
  )
  const texts = [saidBy !== null && saidBy.length > 0 && `by ${saidBy.join(', ')}`, ...others]
  const text = texts.filter(Boolean).join('; ')
  return text !== '' && <div className="hint">{text}</div>
}
