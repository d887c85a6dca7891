import { formatAge, formatNumber } from '@ratecard/contract/wording'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { askPages } from '../../api/queries.ts'
import { useServerNow } from '../../api/server-now.ts'
import { Button } from '../../components/Button.tsx'
import { MoreButton } from '../../components/MoreButton.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { SelectField } from '../../components/SelectField.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { useQueryParams } from '../../query-params.ts'
import { AcceptDialog, RejectDialog } from './dialogs.tsx'
import { HoldTable, Reasons } from './HoldTable.tsx'
import { Refusals } from './Refusals.tsx'
import { Reports } from './Reports.tsx'
import { refetchMs, Sources } from './Sources.tsx'
import './review.css'

/** As many as one decision takes. */
const chosenMax = 50

/** What waits for an operator. */
export default function ReviewPage() {
  return (
    <>
      <PageHeader
        title="Review"
        about="Price moves that are not believed yet, prices that readers say are wrong, and sources that are not taken in. What was served before stays until a move is confirmed, taken back, or decided here."
      />
      <Reports />
      <Waiting />
      <Sources />
    </>
  )
}

function Waiting() {
  const [params, setParams] = useQueryParams()
  const source = params.get('source')
  const query = useInfiniteQuery({
    ...askPages('GET /review/holds', { limit: 50, ...(source !== null && { source }) }),
    refetchInterval: refetchMs,
  })
  const { data, error, refetch } = query
  const [first] = data?.pages ?? []
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data || !first) return <Skeleton rows={8} />
  const { refusals } = first
  if (first.waiting === 0) {
    return (
      <>
        <Refusals of={refusals} />
        <EmptyState title={refusals.length === 0 ? 'Nothing waits' : 'No price move waits'}>
          <p>
            Every amount that a source states is served, denied by others or decided. How the sources stand:
          </p>
        </EmptyState>
      </>
    )
  }
  const holds = data.pages.flatMap((page) => page.data)
  return (
    <>
      <Refusals of={refusals} />
      {(first.sources.length > 1 || source !== null) && (
        <search className="filters short">
          <SelectField
            label="Source"
            none="All sources"
            value={source}
            options={first.sources.map((one) => ({
              value: one.source,
              label: `${one.source} (${formatNumber(one.waiting)})`,
            }))}
            onChange={(value) => setParams({ source: value })}
          />
        </search>
      )}
      {holds.length === 0 ? (
        <EmptyState title="Nothing of this source waits">
          <Button onClick={() => setParams({ source: null })}>Show all sources</Button>
        </EmptyState>
      ) : (
        <HoldList key={source} holds={holds} waiting={countWaiting(first, source)} />
      )}
      <MoreButton of={query}>Show newer ones</MoreButton>
    </>
  )
}

function countWaiting({ waiting, sources }: Schemas['HoldList'], source: string | null): number {
  return source === null ? waiting : (sources.find((one) => one.source === source)?.waiting ?? 0)
}

const dialogs = { accept: AcceptDialog, reject: RejectDialog }

/** The moves, of which some are chosen and decided together. */
function HoldList({ holds, waiting }: { holds: readonly Schemas['Hold'][]; waiting: number }) {
  const now = useServerNow(60_000)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [opened, setOpened] = useState<keyof typeof dialogs | null>(null)
  const [decisions, setDecisions] = useState(0)
  const summary = useRef<HTMLParagraphElement>(null)
  // The buttons that had the focus are gone with what they decided on.
  useEffect(() => {
    if (decisions > 0) summary.current?.focus()
  }, [decisions])
  // What somebody else has decided is not there any more.
  const present = holds.filter(({ id }) => chosen.has(id))
  const choose = (ids: readonly string[], isChosen: boolean) =>
    setChosen((before) => {
      const rest = [...before].filter((id) => !ids.includes(id))
      return new Set(isChosen ? [...rest, ...ids].slice(0, chosenMax) : rest)
    })
  const DecisionDialog = opened && dialogs[opened]
  const [oldest] = holds
  const age = oldest ? formatAge(now - Date.parse(oldest.first_seen)) : ''
  return (
    <>
      <div className="row review-bar">
        <p ref={summary} tabIndex={-1}>
          <strong>{formatNumber(waiting)}</strong> {waiting === 1 ? 'waits' : 'wait'}, the oldest for {age}
          {present.length > 0 && <>. {formatNumber(present.length)} chosen</>}
        </p>
        {present.length > 0 && (
          <>
            <Button kind="primary" onClick={() => setOpened('accept')}>
              Accept
            </Button>
            <Button kind="danger" onClick={() => setOpened('reject')}>
              Reject
            </Button>
            <Button onClick={() => setChosen(new Set())}>Choose none</Button>
          </>
        )}
      </div>
      <HoldTable holds={holds} now={now} chosen={chosen} onChoose={choose} />
      <Reasons holds={holds} />
      {DecisionDialog && (
        <DecisionDialog
          holds={present}
          onDone={() => {
            setOpened(null)
            setChosen(new Set())
            setDecisions((count) => count + 1)
          }}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}
