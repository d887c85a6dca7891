import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { ask } from '../../api/queries.ts'
import { Announced, Cheapest, LastChange } from '../watching/parts.tsx'
import '../watching/watching.css'

const shownMax = 5

/** What one follows, those first that moved last. Nothing for who watches nothing. */
export function Watched() {
  const { data } = useQuery(ask('GET /watches'))
  const watches = (data?.data ?? []).toSorted((a, b) =>
    (b.last_change?.at ?? '').localeCompare(a.last_change?.at ?? ''),
  )
  if (watches.length === 0) return null
  return (
    <section className="panel wide" aria-labelledby="watched">
      <header className="between">
        <h2 id="watched">What you watch</h2>
        <Link href="/watching">{watches.length > shownMax ? `All ${watches.length}` : 'Watch list'}</Link>
      </header>
      <ul className="stack watched">
        {watches.slice(0, shownMax).map((watch) => (
          <li key={`${watch.kind} ${watch.name}`}>
            <strong>
              <a href={watch.page}>{watch.title}</a>
            </strong>
            {watch.kind === 'product' ? <Cheapest price={watch.cheapest} /> : <span />}
            <span className="watch-cell">
              <LastChange change={watch.last_change} />
              <Announced watch={watch} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
