import { formatNumber } from '@ratecard/contract/wording'
import { Link } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { outcomeText, statuses } from '../requests/words.ts'

/** Requests that were refused today, and what to do about them. Nothing when there were none. */
export function Refused({ refused }: { refused: readonly Schemas['RequestSum'][] }) {
  if (refused.length === 0) return null
  const outOfQuota = refused.find(({ error }) => error === 'quota_exceeded')
  return (
    <div className="refused" data-tone="warn">
      <p>
        <strong>Refused today:</strong>{' '}
        {refused.map((sum, index) => (
          <span key={`${sum.status} ${sum.error}`}>
            {index > 0 && ', '}
            <Link href={`/requests?status=${linkStatus(sum.status)}`}>
              {formatNumber(sum.requests)} ({outcomeText(sum)})
            </Link>
          </span>
        ))}
      </p>
      {outOfQuota && (
        <p className="row">
          <a className="button" data-size="small" href="/plans">
            Compare plans
          </a>
          <Link className="button" data-size="small" href="/billing">
            Buy a pack
          </Link>
        </p>
      )}
    </div>
  )
}

/** A status that the log can be filtered by. */
function linkStatus(status: number): string {
  return statuses.some(({ value }) => value === String(status)) ? String(status) : 'refused'
}
