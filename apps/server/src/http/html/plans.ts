import type { RequestHandler } from 'express'
import type { PlanTerms, Plans } from '../../features/entitlements/plans.ts'
import { packUnits } from '../../features/metering/pack-store.ts'
import { html } from './html.ts'
import { sendPage, type CreatePage } from './layout.ts'

const number = new Intl.NumberFormat('en-US')

interface PlanRow {
  name: string
  price: string
  terms: PlanTerms
}

/** What each plan offers, for readers who compare them. */
export function plansPage(plans: Plans, createPage: CreatePage): RequestHandler {
  // The interface fixes the price of Developer; the larger plans are agreed with each customer.
  const rows: PlanRow[] = [
    { name: 'Free', price: '$0', terms: plans.free },
    { name: 'Developer', price: '$39 a month', terms: plans.developer },
    { name: 'Scale', price: 'on request', terms: plans.scale },
    { name: 'Team', price: 'on request', terms: plans.team },
    { name: 'Enterprise', price: 'on request', terms: plans.enterprise },
  ]
  const page = createPage({
    title: 'Plans',
    description: 'What each plan of Ratecard offers: requests a day, changes, webhooks and keys.',
    canonical: '/plans',
    section: '/plans',
    body: html`<h1>Plans</h1>

      <table class="cards">
        <thead>
          <tr>
            <th>Plan</th>
            <th>Price</th>
            <th>Requests a day</th>
            <th>Changes</th>
            <th>Active webhooks</th>
            <th>Keys</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(planRow)}
        </tbody>
      </table>
      <p class="soft">
        Requests are counted per key and UTC day, and start again at midnight UTC. GET /v1/usage is never
        counted.
      </p>
      <h2>Top-up packs</h2>
      <p>
        A pack costs $5 and holds ${number.format(packUnits)} requests, valid for 30 days. Packs stack, serve
        all keys of the account once a key's daily quota is used up, and are used in the order in which they
        were bought. A pack adds requests, not endpoints: what a plan may call stays the same.
      </p>
      <h2>How to get one</h2>
      <p>
        On the <a href="/dashboard/billing">billing page of the dashboard</a>. Where nothing is sold there, it
        says whom to write to.
      </p>`,
  })
  return (_req, res) => sendPage(res, page)
}

function planRow({ name, price, terms }: PlanRow) {
  const webhooks = terms.activeWebhooksMax === Infinity ? 'unlimited' : terms.activeWebhooksMax || '–'
  const cells = [
    ['Price', price],
    ['Requests a day', number.format(terms.dailyLimit)],
    ['Changes', terms.operations.has('listChanges') ? 'yes' : '–'],
    ['Active webhooks', webhooks],
    ['Keys', terms.keysMax],
  ] as const
  // The labels stand in for the heading on a narrow screen.
  return html`<tr>
    <th scope="row">${name}</th>
    ${cells.map(([label, value]) => html`<td data-label="${label}">${value}</td>`)}
  </tr> `
}
