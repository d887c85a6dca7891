import {
  amountFields,
  formatAmount,
  formatInstant,
  listAmounts,
  nameAmount,
} from '@ratecard/contract/wording'
import type { Schemas } from '../../../contract/index.ts'
import { Badge } from '../../components/Badge.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { Section } from './Section.tsx'
import { SourceLink } from './SourceLink.tsx'
import { holdWords } from './words.ts'

interface ClaimsProps {
  /** The rule that chose what is served, in a sentence. */
  rule: string | null
  claims: readonly Schemas['PriceClaim'][]
}

/** Who says so, since when, and how old their data are. The served amount is decided from all of them. */
export function Claims({ rule, claims }: ClaimsProps) {
  return (
    <Section title="Who says so">
      {rule !== null && <p>{rule}</p>}
      {claims.length === 0 ? (
        <p className="soft">Nothing is recorded of its sources.</p>
      ) : (
        <Table<Schemas['PriceClaim']>
          caption="What each source states now"
          rows={claims}
          rowKey={({ source }) => source}
          columns={[
            { label: 'Source', cell: (claim) => <Source claim={claim} /> },
            {
              label: 'States',
              cell: (claim) => (
                <ul>
                  {claim.stated.map((stated) => (
                    <li key={stated.field}>
                      <Stated stated={stated} currency={claim.currency} />
                    </li>
                  ))}
                  {claim.stated.length === 0 && <li className="soft">no amount</li>}
                </ul>
              ),
            },
            { label: 'Age', cell: (claim) => <Age claim={claim} /> },
          ]}
        />
      )}
    </Section>
  )
}

function Source({
  claim: { source, leads, gone_since, key, url, document },
}: {
  claim: Schemas['PriceClaim']
}) {
  return (
    <>
      {source} {leads && <Badge>leads</Badge>}{' '}
      {gone_since !== null && <Badge tone="bad">dropped it on {gone_since.slice(0, 10)}</Badge>}
      <div className="hint">{url === null ? key : <SourceLink url={url} text={key} />}</div>
      {document?.quotes.map(({ text, from, to }) => (
        <blockquote
          key={from}
          title={`Bytes ${from} to ${to} of the document with SHA-256 ${document.sha256}`}
        >
          {text}
        </blockquote>
      ))}
    </>
  )
}

/** Since when it has the record, how old its data are, and when it was read last. */
function Age({ claim: { first_seen, data_at, read_at } }: { claim: Schemas['PriceClaim'] }) {
  return (
    <ul>
      <li>
        known since <Day instant={first_seen} />
      </li>
      {data_at !== null && <li>data of {data_at}</li>}
      <li>
        read <Day instant={read_at} />
      </li>
    </ul>
  )
}

/** The day alone: a table has no room for more. */
function Day({ instant }: { instant: string | null }) {
  if (instant === null) return 'never'
  return (
    <time dateTime={instant} title={formatInstant(instant)}>
      {instant.slice(0, 10)}
    </time>
  )
}

/** An amount, whether it is what is served, and since when the source states it. */
function Stated({ stated, currency }: { stated: Schemas['StatedAmount']; currency: string | null }) {
  const { field, amount, is_served: isServed, since } = stated
  return (
    <>
      {nameAmount(field)} {formatAmount(amount, currency)}{' '}
      {!isServed && <Badge tone="warn">not served</Badge>}
      {since !== null && <span className="hint"> since {since.slice(0, 10)}</span>}
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
          {listAmounts(
            amountFields.filter((field) => before[field] !== after[field]),
            after,
            currency,
          ) || 'other rates'}{' '}
          since <Time value={first_seen} />. It is not served yet, because {holdWords[reason]}.
        </p>
      ))}
    </div>
  )
}
