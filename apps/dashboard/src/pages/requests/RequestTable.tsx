import { formatNumber } from '@ratecard/contract/wording'
import { utcDayText } from '../../components/time-words.ts'
import { useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { Badge } from '../../components/Badge.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Dialog, DialogActions } from '../../components/Dialog.tsx'
import { Button } from '../../components/Button.tsx'
import { Fact, Facts } from '../../components/Facts.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { formatHour, localText } from './times.ts'
import { formatMethod, outcomeText, outcomeTone } from './words.ts'

type Logged = Schemas['LoggedRequest']

export interface RequestTableProps {
  /** Newest first. */
  requests: readonly Logged[]
  /** Hours of which more was counted than is listed, by their beginning. */
  hours: ReadonlyMap<string, Schemas['RequestHour']>
}

/** The requests, under a heading for each UTC day; an hour that is not listed in full says so. */
export function RequestTable({ requests, hours }: RequestTableProps) {
  const [shown, setShown] = useState<Logged | null>(null)
  const days = Map.groupBy(requests, ({ at }) => at.slice(0, 10))
  return (
    <>
      {[...days].map(([day, ofDay]) => (
        <section key={day} className="stack requests" aria-labelledby={`day-${day}`}>
          <h2 id={`day-${day}`} className="request-day">
            {utcDayText(day)}
          </h2>
          <Partial hours={[...hours.values()].filter(({ hour }) => hour.startsWith(day))} of={ofDay} />
          <Table
            dense
            caption={`Requests of ${day}, newest first`}
            rows={ofDay}
            rowKey={({ id }) => id}
            columns={[
              {
                label: 'Request',
                cell: (request) => (
                  <button type="button" className="request-name" onClick={() => setShown(request)}>
                    <span className="soft">{formatMethod(request.operation)}</span>{' '}
                    <code>{request.target}</code>
                  </button>
                ),
              },
              {
                label: 'Status',
                cell: (request) => (
                  <Badge tone={outcomeTone(request.status)}>
                    {request.status} {outcomeText(request)}
                  </Badge>
                ),
              },
              { label: 'Key', cell: ({ key_name, key_last_four }) => `${key_name} (…${key_last_four})` },
              { label: 'Took', isNumber: true, cell: ({ duration_ms }) => tookText(duration_ms) },
              { label: 'Time (UTC)', cell: ({ at }) => <ClockTime at={at} /> },
            ]}
          />
        </section>
      ))}
      {shown && <RequestDialog of={shown} onClose={() => setShown(null)} />}
    </>
  )
}

function Partial({ hours, of }: { hours: readonly Schemas['RequestHour'][]; of: readonly Logged[] }) {
  const shown = new Set(of.map(({ at }) => formatHour(at)))
  const partial = hours.filter(({ hour }) => shown.has(hour))
  if (partial.length === 0) return null
  return (
    <ul className="partial-hours soft">
      {partial.map(({ hour, requests, listed }) => (
        <li key={hour}>
          In the hour from {hour.slice(11, 16)}, {formatNumber(listed)} of {formatNumber(requests)} requests
          are listed.
        </li>
      ))}
    </ul>
  )
}

function ClockTime({ at }: { at: string }) {
  return (
    <time className="time" dateTime={at} title={`${localText(at)} where you are`}>
      <span>{at.slice(11, 19)}</span>
    </time>
  )
}

function RequestDialog({ of: request, onClose }: { of: Logged; onClose: () => void }) {
  return (
    <Dialog title={`${request.status} ${outcomeText(request)}`} size="wide" onClose={onClose}>
      <p>
        <code className="breaks">
          {formatMethod(request.operation)} {request.target}
        </code>
      </p>
      <Facts>
        <Fact name="Time">
          <Time value={request.at} />
        </Fact>
        <Fact name="Took">{tookText(request.duration_ms)}</Fact>
        <Fact name="Key">
          {request.key_name} (…{request.key_last_four})
        </Fact>
        <Fact name="Operation">{request.operation}</Fact>
        {request.error !== null && (
          <Fact name="Error">
            <code>{request.error}</code>
          </Fact>
        )}
        <Fact name="Request id">
          <code>{request.id}</code>
        </Fact>
      </Facts>
      <DialogActions>
        <CopyButton text={request.id} what="request id" />
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function tookText(ms: number): string {
  return ms < 1_000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}
