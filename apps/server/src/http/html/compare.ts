import {
  formatAmount,
  formatAmountUnit,
  formatCount,
  nameAmount,
  nameModality,
} from '@ratecard/contract/wording'
import type { Request } from 'express'
import { blendedUsd, findPlatform, listByCost, type Catalogue, type Model } from '../../catalog/catalogue.ts'
import { companyName } from '@ratecard/contract/model-name'
import { findModel } from '../../catalog/model-search.ts'
import { amountColumns } from '../../catalog/price-record.ts'
import { abilitiesCell, factText, formatTokens, pickContext } from './model-table.ts'
import type { StoredChange } from '../../features/changes/change-store.ts'
import { listOfModel } from './changes.ts'
import { html, nothing, type Html, type Part } from './html.ts'
import { buildQuery, withQuery } from './inputs.ts'
import { listGivenDays } from '../../features/changes/given-days.ts'
import { readProductDetails } from '../../catalog/product-store.ts'
import { historySection } from './history.ts'
import { redirectPage, type CreatePage, type Page } from './layout.ts'
import { notFoundPage } from './not-found.ts'
import type { PageCache, PageData } from './page-cache.ts'
import { oneSource } from './parts.ts'
import { addressPicture } from './pictures/address.ts'
import { cardSection } from './rate-cards.ts'
import { modelPath, pairPath, platformLink, sinceText, vendorLink } from './words.ts'

const modelsMax = 4
const idCharsMax = 200

/** At most four models side by side: `?models=a,b`, or the parameter several times, as the form sends it. */
export function comparePage(pages: PageCache, createPage: CreatePage) {
  return pages.handler((req) => {
    const asked = readNames(req)
    return {
      key: withQuery('/compare', buildQuery({ models: asked.join(',') || null })),
      render: (data) => renderComparison(createPage, data, asked),
    }
  })
}

/** `/compare/<model>-vs-<model>`: two models, at one address whichever comes first. */
export function pairPage(pages: PageCache, createPage: CreatePage) {
  return pages.handler((req) => {
    const { path } = req
    const [first, second] = readPair(path) ?? ['', '']
    return {
      key: path,
      render: (data) => {
        const [one, other] = [findModel(data.catalogue, first), findModel(data.catalogue, second)]
        if (one === null || other === null || one === other || !one.isProduct || !other.isProduct)
          return notFoundPage(createPage, 'comparison', `${first} vs ${second}`, data.catalogue)
        return path === pairPath(one, other)
          ? renderComparison(createPage, data, [one.id, other.id].toSorted())
          : redirectPage(pairPath(one, other))
      },
    }
  })
}

async function renderComparison(
  createPage: CreatePage,
  data: PageData,
  asked: readonly string[],
): Promise<Page> {
  const { db, catalogue, ages } = data
  const found = asked.map((name) => ({ name, model: findModel(catalogue, name) }))
  const models = [...new Set(found.flatMap(({ model }) => model ?? []))]
  const missing = found.filter(({ model }) => model === null).map(({ name }) => name)
  const names = models.map(({ name }) => name)
  const [one, other] = models
  const pair =
    one && other && models.length === 2 && one.isProduct && other.isProduct ? ([one, other] as const) : null
  const headlines = models.map(({ headline }) => headline)
  const ids = headlines.map(({ resource_id }) => resource_id)
  const details = ids.length > 0 ? await readProductDetails(db, ids, await listGivenDays(db)) : null
  const changes: StoredChange[] = []
  for (const model of models) changes.push(...(await listOfModel(data, model)))
  return createPage({
    title: names.length > 0 ? `${names.join(' vs ')}: price comparison` : 'Compare AI model prices',
    ...(names.length > 0 && {
      description: `${names.join(' or ')}: input, output, cached input and blended prices, full rate cards and price history side by side.`,
    }),
    ...(asked.length === 0 && { canonical: '/compare' }),
    // What people ask for; of all the others there are millions.
    ...(pair?.every((model) => isAskedFor(model, catalogue)) && { canonical: pairPath(...pair) }),
    ...(pair && {
      picture: addressPicture(
        pairPath(...pair),
        `${pair[0].updated_at} ${pair[1].updated_at}`,
        names.join(' vs '),
      ),
    }),
    section: '/compare',
    ages,
    body: html`<p class="crumbs"><a href="/models">Models</a> / Compare</p>
      <h1>${names.length > 0 ? names.join(' vs ') : 'Compare models'}</h1>
      <p class="lead">
        ${pair ? verdict(...pair) : "Up to four models side by side, using the maker's price where available."}
      </p>
      ${compareForm(asked)}
      ${
        missing.length > 0 &&
        html`<p class="panel" role="status">
          Not found: ${missing.join(', ')}. <a href="/models">Search for the name</a>, then use its id.
        </p>`
      }
      ${
        details
          ? html`${comparison(models)} ${cardSection(headlines, details.cards)}
            ${historySection(headlines, details, changes)}`
          : popularPairs(catalogue)
      }`,
  })
}

const popularMax = 20

/** Those that many platforms sell and their makers do, too: what two of them cost is asked for by many. */
export function listAskedFor({ models }: Catalogue): Model[] {
  return models
    .filter(({ isOwn, isProduct, modality }) => isOwn && isProduct && modality === 'llm')
    .slice(0, popularMax)
}

const isAskedFor = (model: Model, catalogue: Catalogue): boolean => listAskedFor(catalogue).includes(model)

/** The pairs of different makers. */
export function listPairs(catalogue: Catalogue): (readonly [Model, Model])[] {
  const models = listAskedFor(catalogue)
  return models.flatMap((one, place) =>
    models.slice(place + 1).flatMap((other) => (one.vendor === other.vendor ? [] : [[one, other] as const])),
  )
}

/** Each model stands in one pair at most: the first of all would be in them all. */
function popularPairs(catalogue: Catalogue): Html {
  const pairs: (readonly [Model, Model])[] = []
  for (const pair of listPairs(catalogue))
    if (!pairs.flat().some((model) => pair.includes(model))) pairs.push(pair)
  if (pairs.length === 0) return nothing
  return html`<h2>Start with a pair</h2>
    <ul class="list side">
      ${pairs.map(([one, other]) => html`<li><a href="${pairPath(one, other)}">${one.name} vs ${other.name}</a></li>`)}
    </ul>`
}

/** Which of two costs less, in a sentence. */
function verdict(one: Model, other: Model): string {
  const [a, b] = [blendedUsd(one.headline), blendedUsd(other.headline)]
  if (a === null || b === null || a === 0 || b === 0) return 'Standard prices, side by side.'
  if (a === b) return `${one.name} and ${other.name} cost the same for three parts input to one part output.`
  const [low, high] = a < b ? [one, other] : [other, one]
  const percent = Math.round(100 * (1 - Math.min(a, b) / Math.max(a, b)))
  return `${low.name} is ${percent} % cheaper than ${high.name} for three parts input to one part output, at standard prices.`
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

const pairPattern = /^\/compare\/(.{1,200}?)-vs-(.{1,200})$/

function readPair(path: string): [string, string] | null {
  const [, first, second] = pairPattern.exec(decodePath(path)) ?? []
  return first === undefined || second === undefined ? null : [first, second]
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
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
  const row = (label: string, toCell: (model: Model) => Part, toValue?: (model: Model) => number | null) => {
    const values = toValue ? models.flatMap((model) => toValue(model) ?? []) : []
    const least = new Set(values).size > 1 ? Math.min(...values) : null
    const isLeast = (model: Model) => least !== null && toValue?.(model) === least
    return html`<tr>
      <th scope="row">${label}</th>
      ${models.map((model) => html`<td ${isLeast(model) && html`class="down"`}>${toCell(model)}</td>`)}
    </tr>`
  }
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
          row(
            `${nameAmount(column)}, ${formatAmountUnit(column)}`,
            ({ headline }) => formatAmount(headline[column], headline.currency),
            ({ headline }) =>
              headline[column] === null || headline.currency !== 'USD' ? null : Number(headline[column]),
          ),
        )}
        ${row(
          'Blended (3:1)',
          ({ headline }) => blendText(blendedUsd(headline)),
          ({ headline }) => blendedUsd(headline),
        )}
        ${row('Cheapest blended price', cheapest)}
        ${row('Platforms', ({ platforms }) => formatCount(platforms.length, 'platform'))}
        ${row('Context window', (model) => factText(pickContext(model), formatTokens))}
        ${row('Output limit', ({ facts }) => factText(facts.output_tokens, formatTokens))}
        ${row('Knowledge until', ({ facts }) => factText(facts.knowledge_until))}
        ${row('Abilities', abilitiesCell)}
        ${row('Other rates', ({ headline }) => (headline.rates > 0 ? formatCount(headline.rates, 'rate') : 'none'))}
        ${row('Announced', ({ headline }) => (headline.starts_on === null ? 'None announced' : `New price from ${headline.starts_on}`))}
        ${row('This price', ({ headline }) => sinceText(headline))}
      </tbody>
    </table>
  </div>`
}

const blendText = (usd: number | null): string => formatAmount(usd?.toFixed(6), 'USD')

function cheapest({ rows }: Model): Html {
  const [first] = listByCost(rows)
  if (!first) return html`unknown`
  return html`${blendText(blendedUsd(first))} on ${companyName(findPlatform(first))}${oneSource(first)}`
}
