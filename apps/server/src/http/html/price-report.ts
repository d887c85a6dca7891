import type { RequestHandler } from 'express'
import type { Db } from '../../database/connect.ts'
import { companyName } from '@ratecard/contract/model-name'
import { plainText } from '../../features/notices/plain-text.ts'
import { findPlatform, type Catalogue, type CatalogueRow } from '../../catalog/catalogue.ts'
import { noteReport, reportDays } from '../../features/prices/report-store.ts'
import { webAddress } from '../../platform/web-address.ts'
import { reportsMade } from '../limits/index.ts'
import { html, type Html } from './html.ts'
import { FormRefusal, spend, strangersForm, type FormOptions } from './strangers-form.ts'
import { modelPath, priceText } from './words.ts'

// A reader says that a price is wrong. It waits for the operator beside the price; no page shows it.

const textCharsMax = 200
const urlCharsMax = 500
const daySeconds = 86_400

/** The form on the page of a model. */
export function reportForm(rows: readonly CatalogueRow[]): Html {
  return html`<details id="wrong">
    <summary>This price is wrong</summary>
    <form class="search follow" method="post" action="/report">
      <label class="field grow"
        ><span>Price</span>
        <select name="price">
          ${rows.map((row) => html`<option value="${row.resource_id}">${companyName(findPlatform(row))}: ${priceText(row)} (${row.resource_id})</option>`)}
        </select></label
      >
      <label class="field grow"
        ><span>What it should be</span>
        <input
          name="should_be"
          maxlength="${textCharsMax}"
          required
          placeholder="$2 in, $8 out per 1M tokens"
      /></label>
      <label class="field grow"
        ><span>The vendor's page that says so</span>
        <input type="url" name="source_url" maxlength="${urlCharsMax}" required placeholder="https://"
      /></label>
      <label class="field grow"
        ><span>Your email, if we may ask you (optional)</span>
        <input type="email" name="email" maxlength="254" autocomplete="email"
      /></label>
      <button class="btn" type="submit">Report</button>
    </form>
    <p class="note">
      Only the operator of this site sees a report. It is deleted ${reportDays} days after it was last made.
    </p>
  </details>`
}

export function reportPrice({ db, ...options }: FormOptions & { db: Db }): RequestHandler {
  return strangersForm(options, async ({ form, email, catalogue, network }) => {
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
        <p><a href="${modelPath(model)}">Back to ${model.name}</a></p>`,
    })
  })
}

/** @throws FormRefusal where a field is empty or not what it says */
function readReport(form: URLSearchParams, { records }: Catalogue) {
  const resourceId = form.get('price') ?? ''
  if (!records.has(resourceId)) throw new FormRefusal('There is no such price. Go back and reload the page.')
  const text = plainText(form.get('should_be') ?? '', textCharsMax)
  if (text === '') throw new FormRefusal('Say what the price should be. Go back and fill in the field.')
  const url = webAddress(form.get('source_url'))
  if (url === null || url.length > urlCharsMax)
    throw new FormRefusal("The address of the vendor's page must begin with https://. Go back and correct it.") // prettier-ignore
  return { resource_id: resourceId, should_be: text, source_url: url }
}
