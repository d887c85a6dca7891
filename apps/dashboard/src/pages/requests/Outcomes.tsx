import { formatNumber } from '@ratecard/contract/wording'
import { Link, useSearchParams } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { outcomeText, outcomeTone, statuses } from './words.ts'

/** How the requests of these days ended. Each is a way to those requests. */
export function Outcomes({ of: { outcomes } }: { of: Schemas['RequestLog'] }) {
  const [params] = useSearchParams()
  const buildHref = (status: number) => {
    const next = new URLSearchParams(params)
    const known = statuses.find(({ value }) => value === String(status))
    next.set('status', known?.value ?? (status < 400 ? 'served' : status < 499 ? 'refused' : 'failed'))
    return `/requests?${next.toString()}`
  }
  return (
    <ul className="outcomes" aria-label="How they ended">
      {outcomes.map(({ status, error, requests }) => (
        <li key={`${status} ${error}`}>
          <Link href={buildHref(status)} data-tone={outcomeTone(status)}>
            <span className="outcome-count">{formatNumber(requests)}</span>
            <span>
              {status} {outcomeText({ status, error })}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
