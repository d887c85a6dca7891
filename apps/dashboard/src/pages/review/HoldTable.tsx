import { formatAge, formatDigits, nameAmount } from '@ratecard/contract/wording'
import { Link } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { Badge } from '../../components/Badge.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { isOld, moveWord, movedFields, reasonWord } from './words.ts'

type Hold = Schemas['Hold']

interface HoldTableProps {
  holds: readonly Hold[]
  /** Milliseconds since 1970. */
  now: number
  chosen: ReadonlySet<string>
  onChoose: (ids: readonly string[], isChosen: boolean) => void
}

/** What waits, a row each. */
export function HoldTable({ holds, now, chosen, onChoose }: HoldTableProps) {
  return (
    <Table
      caption="Price moves that wait, the oldest first"
      rows={holds}
      rowKey={({ id }) => id}
      columns={[
        {
          label: 'Record',
          cell: (hold) => (
            <Record
              hold={hold}
              isChosen={chosen.has(hold.id)}
              onChoose={(isChosen) => onChoose([hold.id], isChosen)}
            />
          ),
        },
        { label: 'What would change', cell: (hold) => <Moves of={hold} /> },
        { label: 'Why it waits', cell: ({ reason }) => <Badge>{reasonWord(reason)}</Badge> },
        { label: 'Waits for', cell: ({ first_seen }) => <Age since={first_seen} now={now} /> },
      ]}
    />
  )
}

function Record({
  hold: { id, resource_id, source },
  isChosen,
  onChoose,
}: {
  hold: Hold
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}) {
  return (
    <div className="hold-record">
      <input
        type="checkbox"
        aria-label={`Choose ${resource_id} of ${source}`}
        checked={isChosen}
        onChange={({ target }) => onChoose(target.checked)}
      />
      <div>
        <Link className="mono" href={`/review/${encodeURIComponent(id)}`}>
          {resource_id}
        </Link>
        <div className="hint">by {source}</div>
      </div>
    </div>
  )
}

function Moves({ of: hold }: { of: Hold }) {
  const fields = movedFields(hold)
  if (fields.length === 0) return <span>Rates beside the price</span>
  return (
    <ul className="stack-tight hold-moves">
      {fields.map((field) => (
        <li key={field}>
          <span className="soft">{nameAmount(field)}</span>{' '}
          <span className="nowrap">
            {shown(hold.before[field])} → <strong>{shown(hold.after[field])}</strong>
          </span>{' '}
          <span className="hint nowrap">{moveWord(hold.before[field], hold.after[field])}</span>
        </li>
      ))}
    </ul>
  )
}

function shown(amount: string | null): string {
  return amount === null ? '–' : formatDigits(amount)
}

/** What the reasons of some moves mean, each once. */
export function Reasons({ holds }: { holds: readonly Hold[] }) {
  const texts = new Map(holds.map(({ reason, reason_text }) => [reason, reason_text]))
  return (
    <details className="fold">
      <summary>What the reasons mean</summary>
      <dl className="reasons">
        {[...texts].map(([reason, text]) => (
          <div key={reason}>
            <dt>
              <Badge>{reasonWord(reason)}</Badge>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** How long a move has waited. What has waited for more than three days is marked. */
function Age({ since, now }: { since: string; now: number }) {
  const ageMs = now - Date.parse(since)
  return (
    <>
      <Badge tone={isOld(ageMs) ? 'warn' : undefined}>{formatAge(ageMs)}</Badge>
      <div className="hint">
        since <Time value={since} />
      </div>
    </>
  )
}
