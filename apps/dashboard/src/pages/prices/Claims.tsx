import type { Schemas } from '../../../contract/index.ts'
import { Badge } from '../../components/Badge.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { Section } from './Section.tsx'
import { SourceLink } from './SourceLink.tsx'
import { amountFields, amountName, exactAmountText, holdWords, type AmountField } from './words.ts'

interface ClaimsProps {
  claims: readonly Schemas['PriceClaim'][]
  currency: string | null
}

/** Who says so, since when, and how old their data are. The served amount is decided from all of them. */
export function Claims({ claims, currency }: ClaimsProps) {
  const fields = amountFields.filter((field) =>
    claims.some(({ stated }) => stated.some((one) => one.field === field)),
  )
  return (
    <Section title="Who says so">
      {claims.length === 0 ? (
        <p className="soft">Nothing is recorded of its sources.</p>
      ) : (
        <Table<Schemas['PriceClaim']>
          caption="What each source states now"
          rows={claims}
          rowKey={({ source }) => source}
          columns={[
            { label: 'Source', cell: (claim) => <Source claim={claim} /> },
            ...fields.map((field) => ({
              label: amountName(field),
              cell: (claim: Schemas['PriceClaim']) => (
                <Stated claim={claim} field={field} currency={currency} />
              ),
            })),
            {
              label: 'Its row',
              cell: ({ url, key }) => (url === null ? key : <SourceLink url={url} text={key} />),
            },
            { label: 'Known since', cell: ({ first_seen }) => <Day instant={first_seen} /> },
            { label: 'Data of', cell: ({ data_at }) => data_at ?? 'not stated' },
            { label: 'Read', cell: ({ read_at }) => <Day instant={read_at} /> },
          ]}
        />
      )}
    </Section>
  )
}

function Source({ claim: { source, leads, gone_since } }: { claim: Schemas['PriceClaim'] }) {
  return (
    <>
      {source} {leads && <Badge>leads</Badge>}
      {gone_since !== null && <Badge tone="bad">dropped it on {gone_since.slice(0, 10)}</Badge>}
    </>
  )
}

/** The day alone: a table of many columns has no room for more. */
function Day({ instant }: { instant: string | null }) {
  if (instant === null) return 'never'
  return (
    <time dateTime={instant} title={`${instant.slice(0, 16).replace('T', ' ')} UTC`}>
      {instant.slice(0, 10)}
    </time>
  )
}

interface StatedProps {
  claim: Schemas['PriceClaim']
  field: AmountField
  currency: string | null
}

/** The amount, whether it is what is served, and since when the source states it. */
function Stated({ claim, field, currency }: StatedProps) {
  const stated = claim.stated.find((one) => one.field === field)
  if (!stated) return <span title="It does not state this amount.">–</span>
  return (
    <>
      {exactAmountText(stated.amount, currency)} {!stated.is_served && <Badge tone="warn">not served</Badge>}
      {stated.since !== null && <div className="hint">since {stated.since.slice(0, 10)}</div>}
    </>
  )
}

/** Moves that are not believed yet: what is served stays until another source agrees or a person decides. */
export function Holds({
  holds,
  currency,
}: {
  holds: readonly Schemas['PriceHold'][]
  currency: string | null
}) {
  if (holds.length === 0) return null
  return (
    <div className="notice record-holds" data-tone="warn">
      {holds.map(({ source, reason, first_seen, before, after }) => (
        <p key={source}>
          <strong>{source}</strong> states{' '}
          {amountFields
            .filter((field) => before[field] !== after[field])
            .map((field) => `${amountName(field)} ${exactAmountText(after[field], currency)}`)
            .join(', ') || 'other rates'}{' '}
          since <Time value={first_seen} />. It is not served yet, because {holdWords[reason]}.
        </p>
      ))}
    </div>
  )
}
