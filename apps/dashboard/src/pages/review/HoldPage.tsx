import { formatAge, formatNumber } from '@ratecard/contract/wording'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { askData } from '../../api/queries.ts'
import { useServerNow } from '../../api/server-now.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Fact, Facts } from '../../components/Facts.tsx'
import { isMissing, MissingPage } from '../../components/MissingPage.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { ErrorState, Skeleton, replaces } from '../../components/states.tsx'
import { Time } from '../../components/Time.tsx'
import { AcceptDialog, RejectDialog } from './dialogs.tsx'
import { Claims, Elsewhere, Rates } from './evidence.tsx'
import { LastRun, ReadFrom, sourcesQuery } from './Sources.tsx'
import { isOld, reasonWord } from './words.ts'
import './review.css'

type Case = Schemas['HoldCase']

/** One move with its evidence, on a page with an address that can be shared among operators. */
export default function HoldPage() {
  const { id } = useParams<{ id: string }>()
  const { data, error, refetch } = useQuery(askData('GET /review/holds/{id}', { path: { id } }))
  if (isMissing(error)) return <MissingPage {...missing} />
  return (
    <>
      <p>
        <Link href="/review">All that waits</Link>
      </p>
      {replaces(error, data) ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Whole found={data} />
      ) : (
        <>
          <PageHeader title="Review" />
          <Skeleton rows={8} />
        </>
      )}
    </>
  )
}

const missing = {
  title: 'Review',
  what: 'move',
  why: 'The address may be mistyped.',
  href: '/review',
  all: 'All that waits',
}

function Whole({ found }: { found: Case }) {
  const { hold, served, peers, card } = found
  return (
    <>
      <PageHeader title={hold.resource_id}>{hold.state === 'open' && <Decide hold={hold} />}</PageHeader>
      <State of={hold} />
      <p className="measure">{hold.reason_text}</p>
      <section className="stack claims" aria-labelledby="claims">
        <h2 id="claims">What the sources say</h2>
        <Claims of={found} />
        {served === null ? (
          <p className="measure">Nothing of this record is served.</p>
        ) : (
          <ul className="stack-tight measure breaks">
            {served.why.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
      </section>
      {card.length > 0 && <Rates of={found} />}
      {peers.platforms.length > 0 && <Elsewhere of={found} />}
      <section className="stack" aria-labelledby="source">
        <h2 id="source">Source: {hold.source}</h2>
        <SourceFacts source={hold.source} />
      </section>
    </>
  )
}

function State({ of: hold }: { of: Schemas['Hold'] }) {
  const now = useServerNow(60_000)
  const { source, product_id, reason, state, first_seen, decided_at, decided_by, note } = hold
  const ageMs = now - Date.parse(first_seen)
  const isOpen = state === 'open'
  return (
    <>
      <div className="row">
        <Badge>{reasonWord(reason)}</Badge>
        {isOpen ? (
          <Badge tone={isOld(ageMs) ? 'warn' : undefined}>waits for {formatAge(ageMs)}</Badge>
        ) : (
          <Badge tone={state === 'rejected' || state === 'withdrawn' ? undefined : 'good'}>{state}</Badge>
        )}
        {product_id !== null && <span className="soft">{product_id}</span>}
      </div>
      <Facts>
        <Fact name="Stated by">
          {source}, since <Time value={first_seen} />
        </Fact>
        {decided_at !== null && (
          <Fact name="Ended">
            <Time value={decided_at} />
            {decided_by !== null && <> by {decided_by}</>}
          </Fact>
        )}
        {note !== null && <Fact name="Note">{note}</Fact>}
      </Facts>
    </>
  )
}

const dialogs = { accept: AcceptDialog, reject: RejectDialog }

function Decide({ hold }: { hold: Schemas['Hold'] }) {
  const [, navigate] = useLocation()
  const [opened, setOpened] = useState<keyof typeof dialogs | null>(null)
  const DecisionDialog = opened && dialogs[opened]
  return (
    <>
      <Button kind="primary" onClick={() => setOpened('accept')}>
        Accept
      </Button>
      <Button kind="danger" onClick={() => setOpened('reject')}>
        Reject
      </Button>
      {DecisionDialog && (
        <DecisionDialog
          holds={[hold]}
          onDone={() => {
            setOpened(null)
            navigate('/review')
            // The button that had the focus is gone; the next move is chosen there.
            document.getElementById('main')?.focus()
          }}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}

/** How the source stands whose move waits. */
function SourceFacts({ source: name }: { source: string }) {
  const { data, error, refetch } = useQuery(sourcesQuery)
  if (replaces(error, data)) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton rows={2} />
  const source = data.sources.find((one) => one.source === name)
  if (!source) return <p className="soft">It has never been read.</p>
  return (
    <Facts>
      <Fact name="Last run">
        <LastRun of={source} />
      </Fact>
      <Fact name="Data of">{source.data_at ?? 'The data states no day.'}</Fact>
      <Fact name="Version">{source.version ?? '–'}</Fact>
      <Fact name="Rows">{source.rows === null ? '–' : formatNumber(source.rows)}</Fact>
      <Fact name="Read from">
        <ReadFrom of={source} />
      </Fact>
    </Facts>
  )
}
