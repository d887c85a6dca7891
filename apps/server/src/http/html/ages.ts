import { sourceName } from '@ratecard/contract/model-name'
import { formatCount } from '@ratecard/contract/wording'
import type { SourceStatus } from '../../ingest/publish/source-status.ts'
import { html, nothing, type Html } from './html.ts'

/** How old the data of the sources are that the prices are made of. */
export interface DataAges {
  sources: number
  /** Days, of those whose data states a day; null: none does. */
  newestDays: number | null
  oldestDays: number | null
  oldest: string | null
}

const [oldDays, staleDays] = [14, 60]

export function summarizeAges(sources: readonly SourceStatus[]): DataAges {
  const loaded = sources.filter(({ loaded_at }) => loaded_at !== null)
  const dated = loaded
    .flatMap(({ id, data_age_seconds: seconds }) =>
      seconds === null ? [] : [{ id, days: Math.floor(seconds / 86_400) }],
    )
    .sort((a, b) => a.days - b.days)
  const last = dated.at(-1)
  return {
    sources: loaded.length,
    newestDays: dated[0]?.days ?? null,
    oldestDays: last?.days ?? null,
    oldest: last ? sourceName(last.id) : null,
  }
}

/** "6 sources · newest data 2 days old · oldest 146 days (models.dev)". Nothing: no source has been read. */
export function agesLine({ sources, newestDays, oldestDays, oldest }: DataAges): Html {
  if (sources === 0) return nothing
  const parts = [
    formatCount(sources, 'source'),
    newestDays !== null && `${sources === 1 ? '' : 'newest '}data ${ageText(newestDays)}`,
    oldestDays !== null &&
      oldestDays !== newestDays &&
      `oldest ${formatCount(oldestDays, 'day')} (${oldest})`,
  ]
  const tone = newestDays === null || newestDays <= oldDays ? '' : newestDays <= staleDays ? 'warn' : 'bad'
  return html`<p class="ages ${tone}"><a href="/status">${parts.filter(Boolean).join(' · ')}</a></p>`
}

const ageText = (days: number): string => (days === 0 ? 'from today' : `${formatCount(days, 'day')} old`)
