import { capitalize, formatMove, formatNumber, formatPercent, measureMove } from '@ratecard/contract/wording'
import { Link } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { Badge, type Tone } from '../../components/Badge.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { fieldNameWithUnit } from '../prices/words.ts'
import { moveLines, valueText } from './words.ts'

type Change = Schemas['Change']

/** Kind, severity and state of a change, each in words. */
export function ChangeBadges({ change }: { change: Change }) {
  return (
    <div className="row">
      <Badge tone={kindTone(change.category)}>{capitalize(change.category)}</Badge>
      <Badge {...severityTone(change.severity)}>Severity {change.severity} of 5</Badge>
      {change.status && <Badge>{capitalize(change.status)}</Badge>}
      {change.verified && <Badge tone="good">Verified</Badge>}
    </div>
  )
}

/** Good or bad for who pays. */
function kindTone(category: string): Tone | undefined {
  if (category === 'price_cut') return 'good'
  return ['price_rise', 'model_removed', 'deprecation', 'incident'].includes(category) ? 'bad' : undefined
}

/** Each move in one line: "Input $0.75 → $1.50 +100 %"; the summary, where there is none to show. */
export function MoveList({ change }: { change: Change }) {
  const lines = moveLines(change)
  const more = change.moves_total - change.moves.length
  if (lines.length === 0) return <p>{change.summary}</p>
  return (
    <ul className="moves" aria-label="What moved">
      {lines.map(({ move, name, title, records }) => {
        const percentage = measureMove(move.before, move.after)
        return (
          <li key={title} title={title}>
            <span className="soft">{name}</span>{' '}
            <span className="move-values">
              {move.before !== null && (
                <>
                  <span className="move-before">{valueText(move.before, move)}</span>
                  <span aria-hidden="true">→</span>
                  <span className="visually-hidden">to</span>
                </>
              )}
              <strong>{valueText(move.after, move)}</strong>
            </span>{' '}
            {percentage !== null && percentage !== 0 && (
              <Badge tone={percentage > 0 ? 'bad' : 'good'}>{formatPercent(percentage)}</Badge>
            )}
            {records > 1 && <span className="hint"> {records} records</span>}
          </li>
        )
      })}
      {more > 0 && <li className="hint">and {formatNumber(more)} more</li>}
    </ul>
  )
}

function severityTone(severity: number): { tone?: 'bad' | 'warn' } {
  if (severity >= 4) return { tone: 'bad' }
  return severity === 3 ? { tone: 'warn' } : {}
}

/** A date without a time is shown as that date in every time zone. */
export function DayOrTime({ value }: { value: string }) {
  return value.length === 10 ? <time dateTime={value}>{value}</time> : <Time value={value} />
}

/** The day that matters most: the last to move on, else the first on which it holds, else when it was first seen. */
export function When({ change }: { change: Change }) {
  const { migration_deadline: until, effective_time: from, first_seen: seen, created_at } = change
  const [words, value] = until
    ? (['ends on', until] as const)
    : from
      ? (['in effect', from] as const)
      : seen
        ? (['first seen', seen] as const)
        : (['published', created_at] as const)
  return (
    <>
      {words} <DayOrTime value={value} />
    </>
  )
}

/** Before and after, value by value. */
export function Moves({ change }: { change: Change }) {
  const left = change.moves_total - change.moves.length
  return (
    <>
      <Table
        caption={`Before and after: ${change.title}`}
        rows={change.moves}
        rowKey={({ resource_id, field }) => `${resource_id} ${field}`}
        columns={[
          {
            label: 'Record',
            cell: ({ resource_id }) => (
              <Link className="mono" href={`/prices?record=${encodeURIComponent(resource_id)}`}>
                {resource_id}
              </Link>
            ),
          },
          { label: 'Value', cell: ({ field }) => fieldNameWithUnit(field) },
          { label: 'Before', isNumber: true, cell: (move) => valueText(move.before, move) },
          { label: 'After', isNumber: true, cell: (move) => <strong>{valueText(move.after, move)}</strong> },
          { label: 'Difference', isNumber: true, cell: (move) => formatMove(move.before, move.after) ?? '' },
        ]}
      />
      {left > 0 && <p className="soft">And {formatNumber(left)} more.</p>}
    </>
  )
}

/** The alternatives, the best first. */
export function Alternatives({ change }: { change: Change }) {
  return (
    <Table
      caption={`Alternatives to ${change.product}`}
      rows={change.alternatives}
      rowKey={({ product_id }) => product_id}
      columns={[
        {
          label: 'Alternative',
          cell: ({ product_id, product_name }) => (
            <Link href={`/prices?product=${encodeURIComponent(product_id)}`}>{product_name}</Link>
          ),
        },
        { label: 'Vendor', cell: ({ vendor }) => vendor },
        {
          label: 'Cost',
          cell: ({ cost_diff_pct }) => (cost_diff_pct === null ? 'unknown' : formatPercent(cost_diff_pct)),
        },
        { label: 'Work to move', cell: ({ migration_effort }) => migration_effort },
        {
          label: 'Quality and notes',
          cell: ({ quality_comparison, notes }) => [quality_comparison, notes].filter(Boolean).join(' '),
        },
      ]}
    />
  )
}

/** The fields that the plan withholds, and how to see them. */
export function SummaryNotice() {
  return (
    <p className="notice">
      <span>
        Your plan shows changes in summary. Before and after, deadlines, impacts and alternatives come with
        the Developer plan. <a href="/plans">See plans</a>
      </span>
    </p>
  )
}
