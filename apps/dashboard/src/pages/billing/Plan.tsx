import { capitalize, formatNumber } from '@ratecard/contract/wording'
import type { Schemas } from '../../../contract/index.ts'
import { useSession } from '../../api/me.ts'
import { useServerNow } from '../../api/server-now.ts'
import { Badge } from '../../components/Badge.tsx'
import { Fact, Facts } from '../../components/Facts.tsx'
import { Time } from '../../components/Time.tsx'

type Subscription = Schemas['Subscription']

/** The plan of the account, what it includes, and until when it is valid. */
export function Plan({ billing: { plan, subscriptions } }: { billing: Schemas['Billing'] }) {
  const { data: me } = useSession()
  const present = subscriptions.filter(({ current }) => current)
  const others = subscriptions.filter(({ current }) => !current)
  return (
    <section className="stack" aria-labelledby="plan">
      <h2 id="plan">
        Plan <Badge tone={plan === 'free' ? undefined : 'good'}>{capitalize(plan)}</Badge>
      </h2>
      <p>
        <a href="/plans">Compare the plans</a>
      </p>
      <Facts>
        {me?.account && (
          <>
            <Fact name="Daily quota">
              {formatNumber(me.account.daily_limit)} requests per key and UTC day
            </Fact>
            <Fact name="Keys">up to {formatNumber(me.account.keys_max)} active</Fact>
            <Fact name="Webhooks">
              {me.account.active_webhooks_max === null
                ? 'as many as you like'
                : me.account.active_webhooks_max === 0
                  ? 'none'
                  : `up to ${me.account.active_webhooks_max} active`}
            </Fact>
          </>
        )}
        {[...present, ...others].map((subscription) => (
          <Fact key={subscription.plan} name={capitalize(subscription.plan)}>
            <Term of={subscription} />
          </Fact>
        ))}
      </Facts>
    </section>
  )
}

function Term({ of: { current, starts_at, ends_at, renews } }: { of: Subscription }) {
  const now = useServerNow(60_000)
  if (current) {
    return (
      <>
        since <Time value={starts_at} />
        {ends_at !== null && (
          <>
            , {renews ? 'renews' : 'ends'} <Time value={ends_at} />
          </>
        )}
      </>
    )
  }
  const isAhead = Date.parse(starts_at) > now
  return (
    <>
      {isAhead ? 'begins' : 'ended'} <Time value={isAhead ? starts_at : ends_at} />
    </>
  )
}
