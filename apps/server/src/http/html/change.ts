import { capitalize, dropDust, nameField, nameModality } from '@ratecard/contract/wording'
import type { RequestHandler } from 'express'
import { listEvidence, type ChangeEvidence } from '../../features/changes/change-evidence.ts'
import { findChange, type StoredChange } from '../../features/changes/change-store.ts'
import type { Catalogue } from '../../catalog/catalogue.ts'
import { companyName, sourceName } from '@ratecard/contract/model-name'
import { kindBadge } from './change-list.ts'
import { html, type Html } from './html.ts'
import { buildQuery } from './inputs.ts'
import type { CreatePage, Page } from './layout.ts'
import type { PageCache, PageData } from './page-cache.ts'
import { addressPicture } from './pictures/address.ts'
import { cardTable, instant } from './parts.ts'
import { changePath, day, foreignLink, productPath, vendorLink } from './words.ts'

/** The public HTML page of a change, to which alerts link: what a summary shows, readable without a key. */
export function changePage(pages: PageCache, createPage: CreatePage): RequestHandler {
  // An alert to many receivers, or a crawler, then costs the database one query. Absent changes are kept too.
  return pages.handler((req) => {
    const id = String(req.params.id)
    return { key: changePath(id), render: (data) => readPage(createPage, data, id) }
  })
}

async function readPage(createPage: CreatePage, { db, catalogue }: PageData, id: string): Promise<Page> {
  const change = id.includes('\0') ? undefined : await findChange(db, id)
  if (change) {
    const evidence = await listEvidence(db, id, evidenceRowsMax)
    return createPage({
      title: change.title,
      description: change.summary.slice(0, descriptionCharsMax),
      canonical: changePath(id),
      section: '/changes',
      feed: buildQuery({ product: change.product }),
      picture: addressPicture(
        changePath(id),
        change.updated_at,
        `${change.title}. ${change.summary}`.slice(0, altCharsMax),
      ),
      jsonLd: structuredData(change, catalogue),
      body: changeBody(change, evidence, catalogue),
    })
  }
  // What a test alert links to.
  if (id.startsWith('test_'))
    return createPage({
      title: 'A test alert',
      body: html`<h1>A test alert</h1>
        <p class="lead">
          Your endpoint got a sample: no price has changed. Alerts of real changes link to a page like this.
        </p>
        <p><a href="/changes">All published changes</a></p>`,
    })
  return createPage({
    status: 404,
    title: 'No such change',
    body: html`<h1>No such change</h1>
      <p class="lead">Check the address, or see <a href="/changes">all published changes</a>.</p>`,
  })
}

const descriptionCharsMax = 300
const altCharsMax = 400
const headlineCharsMax = 110

/** What search engines read: an article about a model, with its days. */
function structuredData(change: StoredChange, { products }: Catalogue): object {
  const model = products.get(change.product)
  return {
    '@context': 'https://schema.org',
    '@type': 'NewsArticle',
    headline: change.title.slice(0, headlineCharsMax),
    description: change.summary,
    datePublished: change.created_at,
    dateModified: change.updated_at,
    author: { '@type': 'Organization', name: 'Ratecard' },
    about: {
      '@type': 'Product',
      name: model?.name ?? change.product,
      productID: change.product,
      brand: { '@type': 'Brand', name: companyName(change.vendor) },
    },
  }
}

function changeBody(change: StoredChange, evidence: readonly ChangeEvidence[], catalogue: Catalogue): Html {
  const model = catalogue.products.get(change.product)
  return html`<p class="crumbs"><a href="/changes">Changes</a> / ${vendorLink(change.vendor)}</p>
    <h1>${change.title}</h1>
    <p class="meta">
      ${kindBadge(change)}
      ${model ? html`<a href="${productPath(change.product)}">${model.name}</a>` : html`<span class="id">${change.product}</span>`}
      <span>published ${instant(change.created_at)}</span>
    </p>
    <p class="lead">${change.summary}</p>
    <dl class="facts">
      <dt>Severity</dt>
      <dd>${change.severity} of 5</dd>
      <dt>Kind</dt>
      <dd>${nameModality(change.modality)}</dd>
      ${fact('Status', change.status && capitalize(change.status))}
      ${fact('In effect', change.effective_time)}
      <dt>First seen</dt>
      <dd>${instant(change.first_seen)}</dd>
      <dt>Verified</dt>
      <dd>${change.verified ? 'yes, by two independent sources or by the operator' : 'not yet'}</dd>
      ${
        change.source_url
          ? html`<dt>Source</dt>
              <dd>${foreignLink(change.source_url, change.source_url)}</dd>`
          : ''
      }
    </dl>
    ${evidence.length === 0 ? '' : evidenceTable(evidence)}
    <p class="panel" data-details="${change.id}">
      Paid plans add, here and by API and webhook, before and after of each record, deadlines, impact and
      alternatives:
      <a href="/plans">see the plans</a> or <a href="/dashboard/sign-up">sign up</a>.
    </p>`
}

/** The page stays small: a change of a list of thousands has as many claims. */
const evidenceRowsMax = 60

function evidenceTable(evidence: readonly ChangeEvidence[]): Html {
  return html`<h2>Who says so</h2>
    ${cardTable(
      'Evidence',
      html`<th scope="col">Source</th>
        <th scope="col">Row</th>
        <th scope="col">States</th>
        <th scope="col">Before</th>
        <th scope="col">Since</th>
        <th scope="col">Read</th>`,
      evidence.map(
        (row) =>
          html`<tr>
            <th scope="row">
              ${sourceName(row.source)}${row.version !== null && html` <span class="id">${row.version}</span>`}
            </th>
            <td data-label="Row">${foreignLink(row.source_url, row.source_key)}</td>
            <td data-label="States">
              ${row.field === null ? 'the row' : `${nameField(row.field)} ${dropDust(row.amount ?? 'unknown')}`}
              ${row.quote !== null && html`<br /><q class="quote">${row.quote}</q>`}
            </td>
            <td data-label="Before">${dropDust(row.amount_before ?? '')}</td>
            <td data-label="Since">${day(row.since)}</td>
            <td data-label="Read">${day(row.last_seen)}</td>
          </tr>`,
      ),
    )}`
}

function fact(name: string, value: string | null | undefined): Html {
  return value
    ? html`<dt>${name}</dt>
        <dd>${value}</dd>`
    : html``
}
