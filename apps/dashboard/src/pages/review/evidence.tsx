import { type AmountField, countDecimals, formatNumber } from '@ratecard/contract/wording'
import type { ReactNode } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { Badge } from '../../components/Badge.tsx'
import { Table, type Column } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { Address } from './Address.tsx'
import { Amount } from './Amount.tsx'
import { fieldLabel, moveWord, statedFields, type Amounts } from './words.ts'

type Case = Schemas['HoldCase']
type Claim = Schemas['Claim']

/** A row of the comparison: what is served, what a source claims, or what peers cost. */
interface Line {
  key: string
  mark: 'served' | 'held' | undefined
  name: ReactNode
  amounts: Amounts
  claim: Claim | null
}

/** What is served, what every source claims, and what the product costs elsewhere, one below the other. */
export function Claims({ of: { hold, served, claims, peers } }: { of: Case }) {
  const others = peers.platforms.length
  const currency = served?.currency ?? 'USD'
  const lines: Line[] = [
    ...(served === null
      ? []
      : [
          {
            key: 'served',
            mark: 'served' as const,
            name: (
              <>
                Served{' '}
                <Badge tone={served.is_confirmed === true ? 'good' : undefined}>
                  {confirmedText(served)}
                </Badge>
              </>
            ),
            amounts: served.amounts,
            claim: null,
          },
        ]),
    ...claims.map((claim): Line => ({
      key: `claim ${claim.source}`,
      mark: claim.is_held ? 'held' : undefined,
      name: (
        <>
          {claim.source}{' '}
          {claim.currency !== currency && statedFields([claim.amounts]).length > 0 && (
            <Badge tone="warn">in {claim.currency ?? 'no known currency'}</Badge>
          )}{' '}
          {claim.is_held && hold.state === 'open' && <Badge tone="warn">waits</Badge>}
        </>
      ),
      amounts: claim.amounts,
      claim,
    })),
    {
      key: 'peers',
      mark: undefined,
      name: <>Median of {formatNumber(others)} other platforms</>,
      amounts: peers.median,
      claim: null,
    },
  ].filter(({ key }) => key !== 'peers' || others > 0)
  const fields = statedFields(lines.map(({ amounts }) => amounts))
  return (
    <>
      <Table
        caption={`What is served and what every source says of ${hold.resource_id}, in ${currency}`}
        rows={lines}
        rowKey={({ key }) => key}
        rowMark={({ mark }) => mark}
        columns={[
          { label: `Amounts in ${currency}`, cell: ({ name }) => name },
          ...amountColumns(fields, lines, currency, served?.amounts, peers.median),
          { label: 'Stated since', cell: ({ claim }) => claim && <Since of={claim} /> },
          { label: 'Evidence', cell: ({ claim }) => claim && <Evidence of={claim} /> },
        ]}
      />
      {others > 0 && others < peers.platforms_min && (
        <p className="hint">
          A median needs {peers.platforms_min} other platforms. So many state the product no longer.
        </p>
      )}
    </>
  )
}

function confirmedText({ is_confirmed, gone_since }: NonNullable<Case['served']>): string {
  if (gone_since !== null) return 'gone from every source'
  if (is_confirmed === null) return 'no amount'
  return is_confirmed ? 'confirmed' : 'not confirmed'
}

function amountColumns(
  fields: readonly AmountField[],
  lines: readonly Line[],
  currency: string,
  served: Amounts | undefined,
  median: Amounts,
): Column<Line>[] {
  return fields.map((field) => {
    const places = countDecimals(lines.map(({ amounts }) => amounts[field]))
    return {
      label: fieldLabel(field),
      isNumber: true,
      cell: ({ amounts, claim }) => {
        const value = amounts[field]
        const move = claim?.moves.find((one) => one.field === field)
        // Where nothing is served there may be peers to compare with.
        const base = served?.[field] ?? median[field]
        const isApart = claim?.currency === currency && value !== null && base !== null && value !== base
        const against = served?.[field] == null ? ' against peers' : ''
        return (
          <>
            <Amount value={value} places={places} />
            {isApart && (
              <div className="hint">
                {moveWord(base, value)}
                {against}
              </div>
            )}
            {move && (
              <div className="hint nowrap">
                was {move.before === null ? 'not stated' : <Amount value={move.before} places={0} />}
              </div>
            )}
          </>
        )
      },
    }
  })
}

/** Since when a source states what it states now, and when it was seen last. */
function Since({ of: { moves, first_seen, last_seen, data_at, gone_since } }: { of: Claim }) {
  const since = moves.map((move) => move.since).sort()
  return (
    <>
      <Time value={since.at(-1) ?? first_seen} />
      <div className="hint">
        {gone_since === null ? (
          <>
            last seen <Time value={last_seen} />
          </>
        ) : (
          <>
            gone since <Time value={gone_since} />
          </>
        )}
      </div>
      {data_at.slice(0, 10) < last_seen.slice(0, 10) && (
        <div className="hint">its data is of {data_at.slice(0, 10)}</div>
      )}
    </>
  )
}

/** The row in the source's file, and where the source says that it read the price. */
function Evidence({ of: { source, source_key, source_url, version } }: { of: Claim }) {
  return (
    <div className="evidence">
      {source_url !== null && (
        <Address value={source_url}>
          {parseHost(source_url)}
          <span className="visually-hidden">, by {source}</span>
        </Address>
      )}
      <span>
        <span className="soft">row</span> <code>{source_key}</code>
      </span>
      {version !== null && (
        <span>
          <span className="soft">version</span> <code>{version}</code>
        </span>
      )}
    </div>
  )
}

function parseHost(address: string): string {
  return URL.parse(address)?.host ?? address
}

/** What the product costs on each other platform. */
export function Elsewhere({ of: { hold, peers } }: { of: Case }) {
  const { platforms } = peers
  const fields = statedFields(platforms.map(({ amounts }) => amounts))
  const [first, ...columns] = [
    { label: 'Platform', cell: ({ platform }) => platform },
    ...fields.map((field): Column<Schemas['PeerPlatform']> => {
      const places = countDecimals(platforms.map(({ amounts }) => amounts[field]))
      return {
        label: fieldLabel(field),
        isNumber: true,
        cell: ({ amounts }) => <Amount value={amounts[field]} places={places} />,
      }
    }),
  ] as [Column<Schemas['PeerPlatform']>, ...Column<Schemas['PeerPlatform']>[]]
  return (
    <details className="fold">
      <summary>What {hold.product_id ?? 'it'} costs on other platforms</summary>
      <div className="measure">
        <Table
          caption="The median of what sources say of each other platform"
          rows={platforms}
          rowKey={({ platform }) => platform}
          dense
          columns={[first, ...columns]}
        />
      </div>
    </details>
  )
}

/** The rates beside the amounts that moved. */
export function Rates({ of: { card } }: { of: Case }) {
  const before = countDecimals(card.map((rate) => rate.before))
  const after = countDecimals(card.map((rate) => rate.after))
  return (
    <section className="stack" aria-labelledby="rates">
      <h2 id="rates">Rates beside the price</h2>
      <Table
        caption="Rates that the source states otherwise than before"
        rows={card}
        rowKey={({ rate }) => rate}
        columns={[
          { label: 'Rate', cell: ({ rate }) => rate },
          {
            label: 'Before',
            isNumber: true,
            cell: (rate) => <Amount value={rate.before} places={before} />,
          },
          { label: 'After', isNumber: true, cell: (rate) => <Amount value={rate.after} places={after} /> },
          { label: 'Difference', cell: (rate) => moveWord(rate.before, rate.after) },
        ]}
      />
    </section>
  )
}
