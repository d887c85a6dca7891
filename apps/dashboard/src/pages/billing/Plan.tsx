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
  const shown = subscriptions.filter(({ current }) => current)
  const past = subscriptions.filter(({ current }) => !current)
  return (
    <section className="stack" aria-labelledby="plan">
      <h2 id="plan">
        Plan <Badge tone={plan === 'free' ? undefined : 'good'}>{plan}</Badge>
      </h2>
      <Facts>
        {me?.account && (
          <>
            <Fact name="Daily quota">
              {me.account.daily_limit.toLocaleString()} requests per key and UTC day
            </Fact>
            <Fact name="Keys">up to {me.account.keys_max.toLocaleString()} active</Fact>
            <Fact name="Webhooks">
              {me.account.active_webhooks_max === null
                ? 'as many as you like'
                : me.account.active_webhooks_max === 0
                  ? 'none'
                  : `up to ${me.account.active_webhooks_max} active`}
            </Fact>
          </>
        )}
        {shown.map((subscription) => (
          <Fact key={subscription.plan} name={capitalised(subscription.plan)}>
            <Term of={subscription} />
          </Fact>
        ))}
        {past.map((subscription) => (
          <Fact key={subscription.plan} name={capitalised(subscription.plan)}>
            <PastTerm of={subscription} />
          </Fact>
        ))}
      </Facts>
    </section>
  )
}

function Term({ of: { starts_at, ends_at, renews } }: { of: Subscription }) {
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

function PastTerm({ of: { starts_at, ends_at } }: { of: Subscription }) {
  const isAhead = Date.parse(starts_at) > useServerNow(60_000)
  return isAhead ? (
    <>
      begins <Time value={starts_at} />
    </>
  ) : (
    <>
      ended <Time value={ends_at} />
    </>
  )
}

function capitalised(plan: string): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1)
}
