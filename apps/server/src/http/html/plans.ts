import { formatCount, formatNumber } from '@ratecard/contract/wording'
import type { RequestHandler } from 'express'
import { plans, type Plan } from '../../features/entitlements/plans.ts'
import { packUnits } from '../../features/metering/pack-store.ts'
import { html, nothing, type Html } from './html.ts'
import { sendPage, type CreatePage } from './layout.ts'

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
  { name: 'Free', about: 'Look prices up, and build against them.', usdAMonth: 0, plan: 'free' },
  {
    name: 'Developer',
    about: 'A product that must know when a price moves.',
    usdAMonth: 39,
    plan: 'developer',
    isRecommended: true,
  },
  {
    name: 'Scale and Team',
    about:
      'Scale: a platform with many services and endpoints. Team: a company whose teams share one contract. Their limits are the same.',
    usdAMonth: null,
    plan: 'scale',
  },
  {
    name: 'Enterprise',
    about: 'Traffic and terms of your own.',
    usdAMonth: null,
    plan: 'enterprise',
  },
]

const packUsd = 5

/** What each plan offers, for readers who compare them. */
export function plansPage(createPage: CreatePage): RequestHandler {
  const page = createPage({
    title: 'Plans',
    description:
      'What each plan of Ratecard offers and costs in US dollars: requests a day, changes, webhooks and keys.',
    canonical: '/plans',
    section: '/plans',
    body: html`<h1>Plans</h1>
      <p class="lead">
        Prices are free to read. A plan pays for what your programs ask in a day, and for what they are told
        by themselves.
      </p>
      <div class="offers">${offers.map((offer) => offerCard(offer))}</div>
      <p class="note">
        Prices are in US dollars. Requests are formatCount per key and UTC day, and start again at midnight
        UTC.
        <code>GET /v1/usage</code> is never formatCount.
      </p>
      <h2 id="packs">Top-up packs</h2>
      <p class="lead">
        $${packUsd} for ${formatNumber(packUnits)} requests, valid for 30 days, on every plan.
      </p>
      <p>
        Packs stack. They serve all keys of the account once a key's daily quota is used up, in the order in
        which they were bought. A pack adds requests, not endpoints: what a plan may call stays the same.
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

function offerCard({ name, about, usdAMonth, plan, isRecommended = false }: Offer): Html {
  const terms = plans[plan]
  return html`<section class="offer${isRecommended && ' best'}" aria-label="${name}">
    <h2>${name}${isRecommended ? html` <span class="badge">Recommended</span>` : nothing}</h2>
    <p class="soft">${about}</p>
    <p class="price">
      ${
        usdAMonth === null
          ? html`<b>On request</b>`
          : html`<b>$${usdAMonth}</b> <span class="soft">${usdAMonth === 0 ? 'for good' : 'a month'}</span>`
      }
    </p>
    ${callToAction(name, usdAMonth, isRecommended)}
    <ul>
      <li><b>${formatNumber(terms.dailyLimit)}</b> requests a day, each key</li>
      <li><b>${terms.keysMax}</b> keys, shared by all members</li>
      <li>Every price, with rate card and history</li>
      ${
        terms.changeAccess === 'full'
          ? html`<li>Changes as data: before and after, deadlines, impact, alternatives</li>`
          : html`<li>Changes in summary, and their feed</li>`
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

function callToAction(name: string, usdAMonth: number | null, isRecommended: boolean): Html {
  const [path, label] =
    usdAMonth === 0
      ? ['/dashboard/sign-up', 'Get a free key']
      : usdAMonth === null
        ? ['/dashboard/billing', `Ask about ${name}`]
        : ['/dashboard/billing', `Get ${name}`]
  return html`<a class="btn${!isRecommended && ' plain'}" href="${path}">${label}</a>`
}

const questions: readonly (readonly [string, string])[] = [
  [
    'What counts as a request?',
    'Each answer that you are given by a formatCount endpoint. A refused request costs nothing, and neither does looking at prices and changes on these pages or in the dashboard.',
  ],
  [
    'What happens when the quota is used up?',
    'If the account has a pack, it goes on serving. Else the answer is 429 with the moment from which requests are served again, midnight UTC, and a link to buy a pack.',
  ],
  [
    'May I change or cancel a plan?',
    'At any time, on the billing page of the dashboard. A cancelled plan holds until the end of the month that is paid; then the account is on the free plan, and its keys go on working.',
  ],
  [
    'How do I get a larger plan?',
    'On the billing page of the dashboard, which names whom to write to. An installation that takes no payments says so there.',
  ],
]
