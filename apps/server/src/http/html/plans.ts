import { formatCount, formatNumber } from '@ratecard/contract/wording'
import type { RequestHandler } from 'express'
import { plans, type Plan } from '../../features/entitlements/plans.ts'
import { packUnits } from '../../features/metering/pack-store.ts'
import { html, nothing, type Html } from './html.ts'
import { contactUrl, sendPage, type CreatePage } from './layout.ts'

interface Offer {
  name: string
  /** For whom it is. */
  about: string
  /** In US dollars a month; null: it is agreed with each customer. */
  usdAMonth: number | null
  plan: Plan
  isRecommended?: boolean
}

// The interface fixes the price of Developer; the larger plans are agreed with each customer.
const offers: readonly Offer[] = [
  { name: 'Free', about: 'Look up prices and build a prototype.', usdAMonth: 0, plan: 'free' },
  {
    name: 'Developer',
    about: 'For products that need to know when a price changes.',
    usdAMonth: 39,
    plan: 'developer',
    isRecommended: true,
  },
  {
    name: 'Scale and Team',
    about:
      'Scale is for platforms with many services, Team for companies whose teams share a contract. Both have the same limits.',
    usdAMonth: null,
    plan: 'scale',
  },
  {
    name: 'Enterprise',
    about: 'Custom volume and terms.',
    usdAMonth: null,
    plan: 'enterprise',
  },
]

const packUsd = 5

interface Sales {
  contact: string | undefined
  /** Whether the billing page sells. */
  isSold: boolean
}

/** What each plan offers, for readers who compare them. */
export function plansPage(createPage: CreatePage, sales: Sales): RequestHandler {
  const page = createPage({
    title: 'Plans',
    description: 'What each Ratecard plan costs and includes: requests a day, changes, webhooks and keys.',
    canonical: '/plans',
    section: '/plans',
    body: html`<h1>Plans</h1>
      <p class="lead">Prices are free to read. Pay for higher daily limits and for webhooks.</p>
      <div class="offers">${offers.map((offer) => offerCard(offer, sales))}</div>
      <p class="note">
        Prices are in US dollars. Requests are counted per key and UTC day; the count resets at midnight UTC.
        <code>GET /v1/usage</code> is never counted.
      </p>
      <h2 id="packs">Top-up packs</h2>
      <p class="lead">
        $${packUsd} for ${formatNumber(packUnits)} requests, valid for 30 days, on every plan.
      </p>
      <p>
        Packs stack and serve every key of the account once its daily quota is used up, oldest first. A pack
        adds requests, not endpoints.
      </p>
      <h2 id="questions">Questions</h2>
      ${questions.map(
        ([question, answer]) =>
          html`<details>
            <summary>${question}</summary>
            <p>${answer}</p>
          </details>`,
      )}`,
  })
  return (_req, res) => sendPage(res, page)
}

function offerCard(offer: Offer, sales: Sales): Html {
  const { name, about, usdAMonth, plan, isRecommended = false } = offer
  const terms = plans[plan]
  return html`<section class="offer${isRecommended && ' best'}" aria-label="${name}">
    <h2>${name}${isRecommended ? html` <span class="badge">Recommended</span>` : nothing}</h2>
    <p class="soft">${about}</p>
    <p class="price">
      ${
        usdAMonth === null
          ? html`<b>On request</b>`
          : html`<b>$${usdAMonth}</b> <span class="soft">${usdAMonth === 0 ? 'forever' : 'a month'}</span>`
      }
    </p>
    ${callToAction(offer, sales)}
    <ul>
      <li><b>${formatNumber(terms.dailyLimit)}</b> requests a day per key</li>
      <li><b>${terms.keysMax}</b> keys, shared by all members</li>
      <li>Every price, with rate card and history</li>
      ${
        terms.changeAccess === 'full'
          ? html`<li>Changes as data: before and after, deadlines, impact, alternatives</li>`
          : html`<li>Change summaries and Atom feed</li>`
      }
      <li>${webhooksText(terms.activeWebhooksMax)}</li>
    </ul>
  </section>`
}

function webhooksText(webhooksMax: number): Html {
  if (webhooksMax === 0) return html`<span class="soft">No webhooks</span>`
  const howMany = webhooksMax === Infinity ? 'Unlimited webhooks' : formatCount(webhooksMax, 'active webhook')
  return html`<b>${howMany}</b>, signed, with retries`
}

function callToAction({ name, usdAMonth, isRecommended = false }: Offer, { contact, isSold }: Sales): Html {
  const button = (url: string, label: string) =>
    html`<a class="btn${!isRecommended && ' plain'}" href="${url}">${label}</a>`
  if (usdAMonth === 0) return button('/dashboard/sign-up', 'Get a free key')
  if (usdAMonth !== null && isSold) return button('/dashboard/billing', `Get ${name}`)
  if (contact !== undefined) return button(contactUrl(contact), `Ask about ${name}`)
  return html`<p class="soft">Ask whoever runs this server.</p>`
}

const questions: readonly (readonly [string, string])[] = [
  [
    'What counts as a request?',
    'Every successful response of a counted endpoint. A refused request costs nothing, and neither does browsing these pages or the dashboard.',
  ],
  [
    'What happens when the quota is used up?',
    'If the account has a pack, it takes over. Otherwise requests get a 429 with the time of the reset, midnight UTC, and a link to buy a pack.',
  ],
  [
    'Can I change or cancel?',
    'Any time, on the billing page of the dashboard. A cancelled plan runs to the end of the paid month. The account is then on the Free plan, and its keys keep working.',
  ],
  [
    'How do I get a larger plan?',
    'Contact whoever runs this server, and name your account: the billing page of the dashboard shows its id.',
  ],
]
