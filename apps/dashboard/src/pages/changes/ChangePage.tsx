import { Link, useParams } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { useChange } from '../../api/changes.ts'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Fact, Facts } from '../../components/Facts.tsx'
import { isMissing, MissingPage } from '../../components/MissingPage.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { ErrorState, Skeleton } from '../../components/states.tsx'
import { WatchStar } from '../watching/WatchStar.tsx'
import { Alternatives, ChangeBadges, DayOrTime, Moves, SummaryNotice } from './parts.tsx'
import './changes.css'

type Change = Schemas['Change']

/** One change, on a page with an address that can be shared. */
export default function ChangePage() {
  const { id } = useParams<{ id: string }>()
  const { data: change, error, refetch } = useChange(id)
  if (isMissing(error)) return <MissingPage {...missing} />
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!change) return <Skeleton rows={8} />
  return (
    <>
      <p>
        <Link href="/changes">All changes</Link>
      </p>
      <PageHeader title={change.title}>
        {change.category !== 'incident' && <WatchStar kind="product" name={change.product} />}
        <CopyButton text={window.location.href} what="link" />
      </PageHeader>
      <ChangeBadges change={change} />
      <p className="measure">{change.summary}</p>
      <ChangeFacts change={change} />
      {change.access === 'summary' ? <SummaryNotice /> : <Details change={change} />}
    </>
  )
}

const missing = {
  title: 'No such change',
  what: 'change',
  why: 'The address may be mistyped.',
  href: '/changes',
  all: 'All changes',
}

function ChangeFacts({ change }: { change: Change }) {
  const { effective_time, first_seen, migration_deadline, source_url } = change
  return (
    <Facts>
      <Fact name="Vendor">
        <Link href={`/changes?vendor=${encodeURIComponent(change.vendor)}`}>{change.vendor}</Link>{' '}
        <WatchStar iconOnly kind="vendor" name={change.vendor} />
      </Fact>
      <Fact name="Product">
        <Link href={`/prices?search=${encodeURIComponent(change.product)}`}>{change.product}</Link>
      </Fact>
      <Fact name="Modality">{change.modality}</Fact>
      {effective_time && (
        <Fact name="In effect">
          <DayOrTime value={effective_time} />
        </Fact>
      )}
      {migration_deadline && (
        <Fact name="Move until">
          <strong>
            <DayOrTime value={migration_deadline} />
          </strong>
        </Fact>
      )}
      {first_seen && (
        <Fact name="First seen">
          <DayOrTime value={first_seen} />
        </Fact>
      )}
      <Fact name="Published">
        <DayOrTime value={change.created_at} />
      </Fact>
      {source_url && (
        <Fact name="Source">
          <a href={source_url} target="_blank" rel="noreferrer nofollow">
            {source_url}
          </a>
        </Fact>
      )}
    </Facts>
  )
}

function Details({ change }: { change: Change }) {
  return (
    <>
      <section className="stack">
        <h2>Before and after</h2>
        {change.moves.length > 0 ? <Moves change={change} /> : <p className="soft">No value moved.</p>}
      </section>
      <section className="stack">
        <h2>Impact</h2>
        <Impact change={change} />
      </section>
      <section className="stack">
        <h2>Alternatives</h2>
        {change.alternatives.length > 0 ? (
          <Alternatives change={change} />
        ) : (
          <p className="soft">None is known.</p>
        )}
      </section>
    </>
  )
}

function Impact({ change }: { change: Change }) {
  const parts = [
    { name: 'Overall', score: change.impact_score },
    { name: 'Cost', score: change.impact_cost },
    { name: 'Reliability', score: change.impact_reliability },
    { name: 'Migration', score: change.impact_migration },
    { name: 'Quality', score: change.impact_quality },
    { name: 'Compliance', score: change.impact_compliance },
  ]
  return (
    <>
      <Facts>
        {parts.map(
          ({ name, score }) =>
            score !== null && (
              <Fact key={name} name={name}>
                <span className="impact">
                  <meter min={0} max={100} value={score} aria-label={`${name}: ${score} of 100`} />
                  {score} of 100
                </span>
              </Fact>
            ),
        )}
      </Facts>
      {change.impact_notes && <p className="measure">{change.impact_notes}</p>}
    </>
  )
}
