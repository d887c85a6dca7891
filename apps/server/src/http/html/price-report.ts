import type { RequestHandler } from 'express'
import type { Db } from '../../database/connect.ts'
import { companyName } from '@ratecard/contract/model-name'
import { plainText } from '../../features/notices/plain-text.ts'
import { findPlatform, type Catalogue, type CatalogueRow, type Model } from '../../catalog/catalogue.ts'
import { noteReport, reportDays } from '../../features/price-reports/report-store.ts'
import { webAddress } from '../../platform/web-address.ts'
import { reportsMade } from '../limits/index.ts'
import { html, type Html } from './html.ts'
import { FormRefusal, spend, strangersForm, type FormOptions, type SentForm } from './strangers-form.ts'
import { modelPath, priceText } from './words.ts'

// A reader says that a price is wrong. It waits for the operator beside the price; no page shows it.

const textCharsMax = 200
const urlCharsMax = 500
const daySeconds = 86_400

const fields = [
  ['What it should be', 'should_be', html`maxlength="${textCharsMax}" required placeholder="$2 in, $8 out per 1M tokens"`],
  ["The vendor's page that says so", 'source_url', html`type="url" maxlength="${urlCharsMax}" required placeholder="https://"`],
  ['Your email, if we may ask you (optional)', 'email', html`type="email" maxlength="254" autocomplete="email"`],
] as const // prettier-ignore

/** The form on the page of a model. @param typed what it was refused with */
export function reportForm(rows: readonly CatalogueRow[], typed?: URLSearchParams): Html {
  return html`<details id="wrong" ${typed && html` open`}>
    <summary>This price is wrong</summary>
    <form class="search follow" method="post" action="/report">
      <label class="field grow"
        ><span>Price</span>
        <select name="price">
          ${rows.map((row) => html`<option value="${row.resource_id}">${companyName(findPlatform(row))}: ${priceText(row)} (${row.resource_id})</option>`)}
        </select></label
      >
      ${fields.map(
        ([label, name, attributes]) =>
          html`<label class="field grow"
            ><span>${label}</span><input name="${name}" value="${typed?.get(name)}" ${attributes}
          /></label>`,
      )}
      <button class="btn" type="submit">Report</button>
    </form>
    <p class="note">
      Only the operator of this site sees a report. It is deleted ${reportDays} days after it was last made.
    </p>
  </details>`
}

export function reportPrice({ db, ...options }: FormOptions & { db: Db }): RequestHandler {
  const answer = async ({ form, email, catalogue, network }: SentForm) => {
    const report = { ...readReport(form, catalogue), email }
    await spend(db, reportsMade, network)
    const isNoted = await db.transaction().execute((trx) => noteReport(trx, report))
    if (!isNoted)
      throw new FormRefusal('Many reports wait for the operator already. Try again tomorrow.', 429, daySeconds) // prettier-ignore
    const model = catalogue.records.get(report.resource_id)!
    return options.createPage({
      title: 'Thank you',
      body: html`<h1>Thank you</h1>
        <p class="lead">
          The operator sees your report beside the price. The price changes once the vendor's page, or a
          second source, says so.
        </p>
        ${linkBack(model)}`,
    })
  }
  return strangersForm(options, answer, (typed, { records }) => {
    const id = typed.get('price') ?? ''
    const model = records.get(id)
    if (!model) return null
    const rows = model.rows.filter(({ resource_id }) => resource_id === id)
    return html`${reportForm(rows, typed)} ${linkBack(model)}`
  })
}

function linkBack(model: Model): Html {
  return html`<p><a href="${modelPath(model)}">Back to ${model.name}</a></p>`
}

/** @throws FormRefusal where a field is empty or not what it says */
function readReport(form: URLSearchParams, { records }: Catalogue) {
  const resourceId = form.get('price') ?? ''
  if (!records.has(resourceId)) throw new FormRefusal('There is no such price. Go back and reload the page.')
  const text = plainText(form.get('should_be') ?? '', textCharsMax)
  if (text === '') throw new FormRefusal('Say what the price should be.')
  const url = webAddress(form.get('source_url'))
  if (url === null || url.length > urlCharsMax)
    throw new FormRefusal("The address of the vendor's page must begin with https://.") // prettier-ignore
  return { resource_id: resourceId, should_be: text, source_url: url }
}
