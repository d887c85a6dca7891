import { formatNumber } from '@ratecard/contract/wording'
import type { Schemas } from '../../../contract/index.ts'
import { Badge } from '../../components/Badge.tsx'
import { Time } from '../../components/Time.tsx'
import { tones } from './Sources.tsx'

/** The sources that are shut out: why, since when, and what to do. */
export function Refusals({ of: refusals }: { of: readonly Schemas['RefusedSource'][] }) {
  if (refusals.length === 0) return null
  return (
    <section className="notice" data-tone="warn" aria-labelledby="refusals">
      <h2 id="refusals">
        {refusals.length === 1 ? 'A source is' : `${formatNumber(refusals.length)} sources are`} not taken in
      </h2>
      <ul className="stack measure">
        {refusals.map((refusal) => (
          <li key={refusal.source} className="stack-tight breaks">
            <Refusal of={refusal} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Refusal({
  of: { source, outcome, message, since, runs, loaded_at, version, to_do, remedy },
}: {
  of: Schemas['RefusedSource']
}) {
  return (
    <>
      <p>
        <strong>{source}</strong> <Badge tone={tones[outcome]}>{outcome}</Badge> since <Time value={since} />,{' '}
        {runs === 1 ? 'in one run' : `in ${formatNumber(runs)} runs`}.{' '}
        {loaded_at === null ? (
          'Nothing of it was taken in yet.'
        ) : (
          <>
            Served is what was taken in <Time value={loaded_at} />
            {version !== null && (
              <>
                , version <code>{version}</code>
              </>
            )}
            .
          </>
        )}
      </p>
      {message !== null && <p>{message}</p>}
      <p>{to_do}</p>
      <code>
        ratecard feed run {source} --file PATH{remedy === 'accept_file' && ' --accept-file'}
      </code>
    </>
  )
}
