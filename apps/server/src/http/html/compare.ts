import {
  formatAmount,
  formatAmountUnit,
  formatCount,
  nameAmount,
  nameModality,
} from '@ratecard/contract/wording'
import type { Request } from 'express'
import {
  blendedUsd,
  findPlatform,
  isRetired,
  type Catalogue,
  type Model,
} from '../../features/prices/catalogue.ts'
import { companyName } from '@ratecard/contract/model-name'
import { searchModels } from '../../features/prices/model-search.ts'
import { amountColumns } from '../../features/prices/price-record.ts'
import { html, nothing, type Html, type Part } from './html.ts'
import { buildQuery, withQuery } from './inputs.ts'
import type { CreatePage } from './layout.ts'
import type { PageCache } from './page-cache.ts'
import { modelPath, platformLink, sinceText, vendorLink } from './words.ts'

const modelsMax = 4
const idCharsMax = 200

/** At most four models side by side: `?models=a,b`, or the parameter several times, as the form sends it. */
export function comparePage(pages: PageCache, createPage: CreatePage) {
  return pages.handler((req) => {
    const asked = readNames(req)
    return {
      key: withQuery('/compare', buildQuery({ models: asked.join(',') || null })),
      render: ({ catalogue, ages }) => {
        const found = asked.map((name) => ({ name, model: findModel(catalogue, name) }))
        const models = [...new Set(found.flatMap(({ model }) => model ?? []))]
        const missing = found.filter(({ model }) => model === null).map(({ name }) => name)
        const names = models.map(({ name }) => name)
        return createPage({
          title:
            names.length > 0 ? `${names.join(' and ')}: prices compared` : 'Compare the prices of AI models',
          ...(asked.length === 0 && { canonical: '/compare' }),
          section: '/models',
          ages,
          body: html`<p class="crumbs"><a href="/models">Models</a> / Compare</p>
            <h1>${names.length > 0 ? names.join(', ') : 'Compare models'}</h1>
            <p class="lead">Up to four models side by side, using the maker's price where available.</p>
            ${compareForm(asked)}
            ${
              missing.length > 0 &&
              html`<p class="panel" role="status">
                Not found: ${missing.join(', ')}. <a href="/models">Search for the name</a>, then use its id.
              </p>`
            }
            ${models.length > 0 ? comparison(models) : nothing}`,
        })
      },
    }
  })
}

function readNames(req: Request): string[] {
  const value: unknown = req.query.models
  const texts = (Array.isArray(value) ? value : [value]).filter((text) => typeof text === 'string')
  return texts
    .slice(0, modelsMax)
    .flatMap((text) => text.slice(0, modelsMax * idCharsMax).split(','))
    .map((text) => text.slice(0, idCharsMax).toWellFormed().trim())
    .filter((text) => text !== '')
    .slice(0, modelsMax)
}

/** By its id, else the best that a search finds. */
function findModel(catalogue: Catalogue, name: string): Model | null {
  const known = catalogue.products.get(name)
  if (known) return known
  return searchModels(catalogue, { search: name, vendor: null, platform: null, modality: null })[0] ?? null
}

function compareForm(asked: readonly string[]): Html {
  return html`<form class="search" action="/compare" method="get">
    ${[0, 1, 2, 3].map(
      (place) =>
        html`<label class="field grow"
          ><span>Model ${place + 1}</span>
          <input
            name="models"
            value="${asked[place] ?? ''}"
            maxlength="200"
            autocomplete="off"
            spellcheck="false"
        /></label>`,
    )}
    <button class="btn" type="submit">Compare</button>
  </form>`
}

function comparison(models: readonly Model[]): Html {
  const columns = amountColumns.filter((column) => models.some(({ headline }) => headline[column] !== null))
  const row = (label: string, cellOf: (model: Model) => Part) =>
    html`<tr>
      <th scope="row">${label}</th>
      ${models.map((model) => html`<td>${cellOf(model)}</td>`)}
    </tr>`
  return html`<div class="wide" role="region" aria-label="Comparison" tabindex="0">
    <table>
      <thead>
        <tr>
          <td></td>
          ${models.map(
            (model) =>
              html`<th scope="col">
                <a href="${modelPath(model)}">${model.name}</a><br /><span class="id">${model.id}</span>
              </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${row('Maker', ({ vendor }) => vendorLink(vendor))}
        ${row('Kind', ({ modality }) => nameModality(modality))}
        ${row('Price on', ({ headline }) => platformLink(findPlatform(headline)))}
        ${columns.map((column) =>
          row(`${nameAmount(column)}, ${formatAmountUnit(column)}`, ({ headline }) =>
            formatAmount(headline[column], headline.currency),
          ),
        )}
        ${row('Blended (3:1)', ({ headline }) => blendText(blendedUsd(headline)))}
        ${row('Cheapest blended price', cheapest)}
        ${row('Platforms', ({ platforms }) => formatCount(platforms.length, 'platform'))}
        ${row('Other rates', ({ headline }) => (headline.rates > 0 ? formatCount(headline.rates, 'rate') : 'none'))}
        ${row('Announced', ({ headline }) => (headline.starts_on === null ? 'None announced' : `New price from ${headline.starts_on}`))}
        ${row('This price', ({ headline }) => sinceText(headline))}
      </tbody>
    </table>
  </div>`
}

const blendText = (usd: number | null): string =>
  usd === null ? 'unknown' : formatAmount(String(Number(usd.toFixed(6))), 'USD')

function cheapest({ rows }: Model): Html {
  const priced = rows.flatMap((row) => {
    const usd = blendedUsd(row)
    return usd === null || usd === 0 || row.gone_since !== null || isRetired(row) ? [] : [{ row, usd }]
  })
  const [first] = priced.sort((a, b) => a.usd - b.usd)
  if (!first) return html`unknown`
  return html`${blendText(first.usd)} on ${companyName(findPlatform(first.row))}`
}
