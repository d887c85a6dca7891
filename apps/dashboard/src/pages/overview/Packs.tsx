import { formatNumber, pluralize } from '@ratecard/contract/wording'
import { Link } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { Time } from '../../components/Time.tsx'
import { Meter } from './Meter.tsx'

/** What packs have left. They are used after a daily quota is used up, the oldest first. */
export function Packs({ packs, isSold }: { packs: readonly Schemas['Pack'][]; isSold: boolean }) {
  const left = packs.reduce((sum, { remaining }) => sum + remaining, 0)
  return (
    <section className="panel" aria-labelledby="packs">
      <header className="between">
        <h2 id="packs">Packs</h2>
        {isSold && <Link href="/billing">Get more</Link>}
      </header>
      <p>
        <span className="figure">{formatNumber(left)}</span> {pluralize(left, 'request')} left
      </p>
      {packs.length === 0 ? (
        <p className="soft">
          No packs. A pack goes on serving when the day’s quota is used up, with every key of the account.
        </p>
      ) : (
        <ul className="stack">
          {packs.map(({ id, units, remaining, expires_at }) => (
            <li key={id} className="stack-tight">
              <Meter
                label={`Left of the pack that expires on ${expires_at.slice(0, 10)}`}
                value={remaining}
                max={units}
              />
              <span className="hint">
                {formatNumber(remaining)} of {formatNumber(units)} left, until <Time value={expires_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
