import { Link } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { Badge } from '../../components/Badge.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { fieldNameWithUnit } from '../prices/words.ts'
import { countText } from '../../components/language.ts'
import { inWords, moveText, percentText, valueText } from './words.ts'

type Change = Schemas['Change']

/** Severity, kind and state of a change, each in words. */
export function ChangeBadges({ change }: { change: Change }) {
  return (
    <div className="row">
      <Badge {...severityTone(change.severity)}>Severity {change.severity} of 5</Badge>
      <Badge>{inWords(change.category)}</Badge>
      {change.status && <Badge>{inWords(change.status)}</Badge>}
      {change.verified && <Badge tone="good">verified</Badge>}
    </div>
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
      ? (['holds from', from] as const)
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
          { label: 'Before', cell: ({ before }) => valueText(before) },
          { label: 'After', cell: ({ after }) => <strong>{valueText(after)}</strong> },
          { label: 'Difference', cell: (move) => moveText(move) ?? '' },
        ]}
      />
      {left > 0 && <p className="soft">And {countText(left)} more.</p>}
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
          cell: ({ cost_diff_pct }) => (cost_diff_pct === null ? 'unknown' : percentText(cost_diff_pct)),
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
