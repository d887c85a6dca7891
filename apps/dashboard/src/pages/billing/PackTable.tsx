import { formatNumber } from '@ratecard/contract/wording'
import type { Schemas } from '../../../contract/index.ts'
import { Badge, type Tone } from '../../components/Badge.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'

type Pack = Schemas['Pack']

const states: Record<Pack['state'], { tone?: Tone; text: string }> = {
  live: { tone: 'good', text: 'live' },
  empty: { text: 'used up' },
  expired: { text: 'expired' },
  voided: { tone: 'bad', text: 'voided' },
}

export function PackTable({ packs }: { packs: readonly Pack[] }) {
  return (
    <section className="stack" aria-labelledby="packs">
      <h2 id="packs">Packs</h2>
      {packs.length === 0 ? (
        <p className="soft">No packs yet. They are used in the order in which they were bought.</p>
      ) : (
        <Table
          caption="Packs of this account, in the order in which they are used"
          rows={packs}
          rowKey={({ id }) => id}
          columns={[
            { label: 'Bought', cell: ({ purchased_at }) => <Time value={purchased_at} /> },
            { label: 'Requests', cell: ({ units }) => formatNumber(units), isNumber: true },
            { label: 'Not used', cell: ({ remaining }) => formatNumber(remaining), isNumber: true },
            { label: 'State', cell: (pack) => <State of={pack} /> },
            { label: 'Expires', cell: ({ expires_at }) => <Time value={expires_at} /> },
          ]}
        />
      )}
    </section>
  )
}

function State({ of: { state } }: { of: Pack }) {
  const { tone, text } = states[state]
  return (
    <>
      <Badge tone={tone}>{text}</Badge>
      {state === 'voided' && <span className="hint"> its payment was taken back</span>}
    </>
  )
}
