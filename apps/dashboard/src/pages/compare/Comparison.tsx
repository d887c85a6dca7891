import {
  amountFields,
  formatAmount,
  formatAmountUnit,
  formatCondition,
  formatCount,
  formatUnit,
  listAmounts,
  nameAmount,
  nameMeter,
  nameModality,
  sortRates,
} from '@ratecard/contract/wording'
import { companyName } from '@ratecard/contract/model-name'
import { compareDecimals } from '@ratecard/contract/decimal'
import { useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Time } from '../../components/Time.tsx'
import { findModel, shownName, type PriceIndex, type PriceRecord } from '../prices/price-index.ts'
import { standingWords } from '../prices/words.ts'
import { blended, findLowest, type Compared } from './lowest.ts'

interface ComparedRecord {
  record: PriceRecord
  /** Null: it has left the list since the table was read. */
  stored: Schemas['WholePrice'] | null
}

export interface ComparisonProps {
  index: PriceIndex
  compared: readonly ComparedRecord[]
  onRemove: (id: string) => void
}

/** Rates that are shown at first: images have one for each size and quality. */
const firstRates = 24

/** Records as columns. */
export function Comparison({ index, compared, onRemove }: ComparisonProps) {
  const fields = amountFields.filter((field) => compared.some(({ record }) => record[field] !== null))
  return (
    <div className="compare-scroll" role="region" aria-label="Comparison" tabIndex={0}>
      <table className="compare-table">
        <thead>
          <tr>
            <td />
            {compared.map(({ record }) => (
              <Head key={record.resource_id} record={record} onRemove={onRemove} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Row label="By" compared={compared} cell={({ record }) => companyName(record.vendor)} />
          <Row label="Kind" compared={compared} cell={({ record }) => nameModality(record.modality)} />
          <Row label="Platform" compared={compared} cell={({ record }) => <Platform record={record} />} />
          {fields.map((field) => (
            <AmountRow
              key={field}
              label={nameAmount(field)}
              unit={formatAmountUnit(field)}
              amounts={compared.map(({ record, stored }) => ({
                amount: stored?.amounts[field] ?? textOf(record[field]),
                currency: record.currency,
              }))}
            />
          ))}
          <AmountRow
            label="Blended"
            unit="3 parts input, 1 output"
            amounts={compared.map(({ record }) => blendPrice(record))}
          />
          <Row
            label="Platforms"
            compared={compared}
            cell={({ record }) => <SoldOn index={index} record={record} />}
          />
          <Row label="Standing" compared={compared} cell={({ record }) => <Standing record={record} />} />
          <Row label="Announced" compared={compared} cell={({ stored }) => announcedText(stored)} />
          <Row
            label="Last moved"
            compared={compared}
            cell={({ record }) =>
              record.versions > 1 ? <Time value={record.updated_at} /> : 'not since it was first served'
            }
          />
        </tbody>
        <RateRows compared={compared} />
      </table>
    </div>
  )
}

function Head({ record, onRemove }: { record: PriceRecord; onRemove: (id: string) => void }) {
  const { resource_id: id } = record
  const name = shownName(record)
  return (
    <th scope="col">
      <Link href={`/prices?record=${encodeURIComponent(id)}`}>{name}</Link>
      <span className="hint mono">{id}</span>
      <span className="row">
        <Link href={`/calculator?model=${encodeURIComponent(findModel(record))}`}>Calculate</Link>
        <Button size="small" aria-label={`Remove ${name}, ${id}`} onClick={() => onRemove(id)}>
          Remove
        </Button>
      </span>
    </th>
  )
}

interface RowProps {
  label: ReactNode
  compared: readonly ComparedRecord[]
  cell: (one: ComparedRecord) => ReactNode
}

function Row({ label, compared, cell }: RowProps) {
  return (
    <tr>
      <th scope="row">{label}</th>
      {compared.map((one) => (
        <td key={one.record.resource_id}>{cell(one)}</td>
      ))}
    </tr>
  )
}

interface AmountRowProps {
  label: string
  unit: string
  amounts: readonly Compared[]
  /** What stands where there is no amount. */
  none?: string
}

function AmountRow({ label, unit, amounts, none = 'unknown' }: AmountRowProps) {
  const lowest = findLowest(amounts)
  return (
    <tr>
      <th scope="row">
        {label} <span className="hint">{unit}</span>
      </th>
      {amounts.map(({ amount, currency }, place) => (
        // The columns do not move.
        <td key={place} data-lowest={lowest.has(place)} className="number">
          {amount === null ? <span className="soft">{none}</span> : formatAmount(amount, currency)}{' '}
          {lowest.has(place) && <Badge tone="good">lowest</Badge>}
        </td>
      ))}
    </tr>
  )
}

function Platform({ record: { platform, region } }: { record: PriceRecord }) {
  return (
    <>
      {platform === null ? 'unknown' : companyName(platform)}
      {region !== null && <span className="hint"> {region}</span>}
    </>
  )
}

/** On how many platforms, and where it is cheapest by the same mix. */
function SoldOn({ index, record }: { index: PriceIndex; record: PriceRecord }) {
  const model = findModel(record)
  const { columns } = index
  const mixes = index.rowsOfModel(model).flatMap((row) => {
    const mix = blended(textOf(columns.input_per_mtok[row]!), textOf(columns.output_per_mtok[row]!))
    const isHere =
      record.currency !== null &&
      columns.currency[row] === record.currency &&
      columns.standing[row] !== 'gone'
    return mix === null || !isHere ? [] : [{ mix, row }]
  })
  const [cheapest] = mixes.sort((a, b) => compareDecimals(a.mix, b.mix))
  return (
    <>
      {formatCount(index.platformCount(model), 'platform')}
      {cheapest && mixes.length > 1 && (
        <span className="hint">
          {' '}
          cheapest: {formatAmount(cheapest.mix, record.currency)} blended on{' '}
          <Link href={`/prices?record=${encodeURIComponent(columns.resource_id[cheapest.row]!)}`}>
            {companyName(columns.platform[cheapest.row] ?? 'unknown')}
          </Link>
        </span>
      )}
    </>
  )
}

function Standing({ record: { standing } }: { record: PriceRecord }) {
  if (standing === null) return <span className="soft">nothing recorded</span>
  const { text, tone, about } = standingWords[standing]
  return (
    <span title={about}>
      <Badge tone={tone}>{text}</Badge>
    </span>
  )
}

function announcedText(stored: Schemas['WholePrice'] | null): ReactNode {
  const [next] = stored?.announced ?? []
  if (!stored || !next) return <span className="soft">None announced</span>
  const moved = amountFields.filter(
    (field) => next.amounts[field] !== null && next.amounts[field] !== stored.amounts[field],
  )
  return `from ${next.starts_on}: ${listAmounts(moved, next.amounts, stored.currency) || 'as now'}`
}

/** All rates that one of them has, in the order in which a card is read. */
function RateRows({ compared }: { compared: readonly ComparedRecord[] }) {
  const [isWhole, setWhole] = useState(false)
  const keyOf = ({ amount: _, said_by: _by, denied_by: _others, ...rate }: Schemas['PriceRate']) =>
    JSON.stringify(rate)
  const cards = compared.map(
    ({ stored }) => new Map(stored?.rates.map((rate) => [keyOf(rate), rate.amount] as const) ?? []),
  )
  const all = new Map(
    compared.flatMap(({ stored }) => stored?.rates.map((rate) => [keyOf(rate), rate] as const) ?? []),
  )
  if (all.size === 0) return null
  const ordered = sortRates([...all.values()])
  const shown = isWhole ? ordered : ordered.slice(0, firstRates)
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={compared.length + 1}>
          Rate cards
        </th>
      </tr>
      {shown.map((rate) => (
        <AmountRow
          key={keyOf(rate)}
          label={`${nameMeter(rate.meter)}, ${formatCondition(rate)}`}
          unit={formatUnit(rate.unit)}
          none="not stated"
          amounts={cards.map((card, place) => ({
            amount: card.get(keyOf(rate)) ?? null,
            currency: rate.unit === 'multiplier' ? null : compared[place]!.record.currency,
          }))}
        />
      ))}
      {shown.length < ordered.length && (
        <tr>
          <td colSpan={compared.length + 1}>
            <Button onClick={() => setWhole(true)}>Show all {ordered.length} rates</Button>
          </td>
        </tr>
      )}
    </tbody>
  )
}

function blendPrice({ input_per_mtok, output_per_mtok, currency }: PriceRecord): Compared {
  return { amount: blended(textOf(input_per_mtok), textOf(output_per_mtok)), currency }
}

/** A served number is the shortest text of its decimal. */
function textOf(amount: number | null): string | null {
  return amount === null ? null : String(amount)
}
