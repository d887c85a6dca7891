import { formatNumber, pluralize } from '@ratecard/contract/wording'
import { Link } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { useServerNow } from '../../api/server-now.ts'
import { Time } from '../../components/Time.tsx'
import { Meter } from './Meter.tsx'
import { Refused } from './Refused.tsx'

const tickMs = 1_000
const highShare = 0.8

/** How much of each daily quota is used on the present UTC day. */
export function Today({
  of: { used_today, quotas, resets_at, day, days, refused_today },
}: {
  of: Schemas['Overview']
}) {
  const fromPacks = days
    .filter((row) => row.day === day && row.paid_by === 'pack')
    .reduce((sum, { units }) => sum + units, 0)
  return (
    <section className="panel" aria-labelledby="today">
      <header className="between">
        <h2 id="today">Today</h2>
        <span className="soft">UTC</span>
      </header>
      <p>
        <span className="figure">{formatNumber(used_today)}</span> {pluralize(used_today, 'request')}
        {fromPacks > 0 && `, ${formatNumber(fromPacks)} from packs`}
      </p>
      {quotas.length === 0 ? (
        <>
          <p>No active keys. Create one to call the API.</p>
          <Link className="button" data-kind="primary" href="/keys">
            Go to keys
          </Link>
        </>
      ) : (
        <>
          <ul className="stack">
            {quotas.map(({ key_ids, name, used, used_by_ended, limit }) => (
              <li key={key_ids[0]} className="stack-tight">
                <span className="between">
                  <strong className="breaks">{name}</strong>
                  <span className="soft">{formatNumber(Math.max(0, limit - used))} left</span>
                </span>
                <Meter
                  label={`Daily quota of ${name}`}
                  value={used}
                  max={limit}
                  tone={chooseTone(used / limit)}
                />
                <span className="hint">
                  {formatNumber(used)} of {formatNumber(limit)} used
                  {key_ids.length > 1 && `, by ${key_ids.length} keys that share it`}
                  {used_by_ended > 0 && `, ${formatNumber(used_by_ended)} by a key that ended today`}
                </span>
              </li>
            ))}
          </ul>
          <Refused refused={refused_today} />
          <Countdown until={resets_at} />
        </>
      )}
    </section>
  )
}

function chooseTone(usedShare: number) {
  if (usedShare >= 1) return 'bad'
  return usedShare >= highShare ? 'warn' : undefined
}

function Countdown({ until }: { until: string }) {
  const now = useServerNow(tickMs)
  return (
    <p>
      Resets in <strong>{timeText(Date.parse(until) - now)}</strong>
      <br />
      <span className="hint">
        <Time value={until} />
      </span>
    </p>
  )
}

/** A duration in its largest units: hours with minutes, minutes, then seconds. */
function timeText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  const minutes = Math.floor(seconds / 60)
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  return minutes > 0 ? `${minutes} min` : `${seconds} s`
}
