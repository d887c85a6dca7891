import {
  capitalize,
  countDecimals,
  formatAmount,
  formatAmountUnit,
  formatCount,
  formatDigits,
  formatOtherAmounts,
  nameAmount,
  nameModality,
} from '@ratecard/contract/wording'
import { listGivenDays } from '../../features/changes/given-days.ts'
import { listChanges } from '../../features/changes/change-store.ts'
import {
  alternativesTo,
  findPlatform,
  type Catalogue,
  type CatalogueRow,
  type Model,
} from '../../features/prices/catalogue.ts'
import { findByGuess } from '../../features/prices/model-search.ts'
import { companyName } from '@ratecard/contract/model-name'
import { amountColumns, type AmountColumn } from '../../features/prices/price-record.ts'
import { doubtText, ruleText } from '../../features/prices/price-rule.ts'
import {
  readProductDetails,
  type PriceStanding,
  type ProductDetails,
} from '../../features/prices/product-store.ts'
import type { StoredChange } from '../../features/changes/change-store.ts'
import { calculator, isPricedByToken, readUse, usualUse, type Use } from './calculator.ts'
import { historySection } from './history.ts'
import { html, nothing, type Html } from './html.ts'
import { inTurns } from './in-turns.ts'
import { buildQuery, withQuery } from './inputs.ts'
import { redirectPage, type CreatePage, type Page } from './layout.ts'
import { notFoundPage } from './not-found.ts'
import type { PageCache, PageData } from './page-cache.ts'
import { addressPicture } from './pictures/address.ts'
import { changeList } from './change-list.ts'
import { amountCell, cardTable, endMarks, modelTable } from './parts.ts'
import { announcedSection, cardSection } from './rate-cards.ts'
import { sourcesSection } from './sources.ts'
import {
  day,
  foreignLink,
  modelPath,
  pairPath,
  platformLink,
  productPath,
  retirementText,
  sinceText,
  vendorLink,
  vendorPath,
} from './words.ts'

const changesShown = 10
const alternativesShown = 5
/** Of more records the first are shown: the maker's own, then by platform. No product of six lists has more. */
const recordsMax = 150

/** `/models/<vendor>/<model>`: everything that is known of a model. */
export function productPage(pages: PageCache, createPage: CreatePage) {
  return pages.handler((req) => {
    const [vendor, name] = [String(req.params.vendor), String(req.params.model)]
    const id = vendor === '-' ? name : `${vendor}/${name}`
    const use = readUse(req)
    return {
      key: withQuery(productPath(id), useQuery(use)),
      render: (data) => {
        const model = data.catalogue.products.get(id)
        if (model) return modelPage(createPage, model, data, use)
        const meant = findByGuess(data.catalogue, vendor === '-' ? null : vendor, name)
        return meant ? redirectPage(modelPath(meant)) : notFoundPage(createPage, 'model', id, data.catalogue)
      },
    }
  })
}

/** `/models/<name>`, as people guess it: a maker, or a model without its maker. */
export function guessedPage(pages: PageCache, createPage: CreatePage) {
  return pages.handler((req) => {
    const name = String(req.params.name)
    return {
      key: `/models/${encodeURIComponent(name)}`,
      render: ({ catalogue }) => {
        const vendor = name.toLowerCase()
        if (catalogue.vendors.has(vendor)) return redirectPage(vendorPath(vendor))
        const meant = findByGuess(catalogue, null, name)
        return meant ? redirectPage(modelPath(meant)) : notFoundPage(createPage, 'model', name, catalogue)
      },
    }
  })
}

/** `/prices/<resource_id>`: a record that no product is known of. The others are on the page of their product. */
export function recordPage(pages: PageCache, createPage: CreatePage) {
  return pages.handler((req) => {
    const id = String(req.params.id)
    const use = readUse(req)
    return {
      key: withQuery(`/prices/${encodeURIComponent(id)}`, useQuery(use)),
      render: (data) => {
        const row = data.catalogue.rows.get(id)
        if (!row) return notFoundPage(createPage, 'price', id, data.catalogue)
        const model = findModel(data.catalogue, row)
        return modelPage(createPage, model, data, use)
      },
    }
  })
}

function findModel({ products, models }: Catalogue, { product_id, resource_id }: CatalogueRow): Model {
  return product_id === null ? models.find(({ id }) => id === resource_id)! : products.get(product_id)!
}

function useQuery(use: Use | null): URLSearchParams {
  return buildQuery(use ? { in: use.input, out: use.output, cached: use.cached, batch: use.batch && 1 } : {})
}

async function modelPage(
  createPage: CreatePage,
  model: Model,
  { db, catalogue, ages }: PageData,
  use: Use | null,
): Promise<Page> {
  const rows = model.rows.slice(0, recordsMax)
  const details = await readProductDetails(
    db,
    rows.map(({ resource_id }) => resource_id),
    await listGivenDays(db),
  )
  const filter = { product: model.id, include_incidents: true }
  const { rows: changes } = await listChanges(db, filter, { cursor: null, limit: changesShown })
  const path = modelPath(model)
  const by = companyName(model.vendor)
  const sections = await inTurns([
    () => platformSection(rows, details, model.rows.length),
    () => announcedSection(details.announced, rows),
    () => cardSection(rows, details.cards),
    () => calculator(rows, details.cards, use ?? usualUse, path),
    () => historySection(rows, details, changes.length > 0),
    () => changesSection(changes, model),
    () => (model.isProduct ? createPage.follow({ kind: 'product', name: model.id }) : nothing),
    () => sourcesSection(rows, details),
    () => alternativesSection(model, catalogue),
  ])
  return createPage({
    title: `${model.name} price: ${modelText(model)}`,
    description: `What ${model.name} by ${by} costs on ${formatCount(model.platforms.length, 'platform')}: ${modelText(model)}. Rate card, history, changes and sources.`,
    // A search engine is told of the page of a product, and of no calculation.
    ...(model.isProduct && { canonical: path }),
    section: '/models',
    ages,
    hasScript: true,
    feed: buildQuery({ product: model.id }),
    jsonLd: structuredData(model),
    ...(model.isProduct && {
      picture: addressPicture(path, model.updated_at, `${model.name} by ${by}: ${modelText(model)}`),
    }),
    body: html`<p class="crumbs"><a href="/models">Models</a> / ${vendorLink(model.vendor)}</p>
      <h1>${model.name}</h1>
      <p class="meta">
        <code class="id">${model.id}</code> <span class="badge">${nameModality(model.modality)}</span>
        <span>by ${vendorLink(model.vendor)}</span>
        <span>price ${sinceText(model.headline)}</span>
      </p>
      ${warnings(model)} ${tiles(model, details)} ${contents(model, details, changes)} ${sections}
      ${forPrograms(model)}`,
  })
}

/** "$1.25 in, $10.00 out per 1M tokens", "median $0.60 in, …" where the maker does not sell it. */
function modelText({ headline, others }: Model): string {
  return others.length < 2 ? headlineText(headline) : `median ${headlineText(headline)}`
}

function headlineText(row: CatalogueRow): string {
  const { input_per_mtok: input, output_per_mtok: output, currency } = row
  if (input === null && output === null) return formatOtherAmounts(row)
  if (input !== null && Number(input) === 0 && Number(output ?? 0) === 0) return 'free'
  const texts = [
    input !== null && `${formatAmount(input, currency)} in`,
    output !== null && `${formatAmount(output, currency)} out`,
  ]
  return `${texts.filter(Boolean).join(', ')} per 1M tokens`
}

function warnings({ headline, rows, others, vendor }: Model): Html {
  const retirement = retirementText(headline)
  const texts = [
    others.length > 1 &&
      `${companyName(vendor)} does not sell it. These are the median of ${formatCount(others.length, 'price')} elsewhere; the cheapest is ${companyName(findPlatform(others[0]!))} at ${headlineText(others[0]!)}.`,
    retirement !== null && `It ${retirement}.`,
    headline.gone_since !== null && `No source has listed it since ${headline.gone_since.slice(0, 10)}.`,
    headline.starts_on !== null && `Its price changes on ${headline.starts_on}.`,
    headline.rates > 0 &&
      `Standard prices. ${formatCount(headline.rates, 'more rate')} for caching, batches, long prompts and the like are in the rate card.`,
  ].filter((text) => text !== false)
  return texts.length === 0 || rows.length === 0 ? nothing : html`<p class="lead">${texts.join(' ')}</p>`
}

function tiles({ headline, platforms, rows, others }: Model, details: ProductDetails): Html {
  const shown = amountColumns.filter((column, index) => headline[column] !== null || index < 2).slice(0, 3)
  const saying = new Set(
    details.claims.filter(({ gone_since }) => gone_since === null).map(({ source }) => source),
  )
  const confirmed = rows.filter(({ is_confirmed }) => is_confirmed).length
  return html`<dl class="tiles">
    ${shown.map(
      (column) =>
        html`<div>
          <dt>${nameAmount(column)}${others.length > 1 && ', median'}</dt>
          <dd>
            ${formatAmount(headline[column], headline.currency)}<small>${formatAmountUnit(column)}</small>
          </dd>
        </div>`,
    )}
    <div>
      <dt>Platforms</dt>
      <dd>
        ${platforms.length}<small
          >${companyName(platforms[0]!)}${platforms.length > 1 && ` and ${platforms.length - 1} more`}</small
        >
      </dd>
    </div>
    <div>
      <dt>Sources</dt>
      <dd>
        ${saying.size || '–'}<small
          >${saying.size === 0 ? 'not recorded' : `${confirmed} of ${formatCount(rows.length, 'price')} confirmed`}</small
        >
      </dd>
    </div>
  </dl>`
}

function contents({ rows }: Model, details: ProductDetails, changes: readonly StoredChange[]): Html {
  const hasTokenPrices = isPricedByToken(rows)
  const sections: [string, string, boolean][] = [
    ['platforms', 'Platforms', true],
    ['announced', 'Announced', details.announced.length > 0],
    ['card', 'Rate card', details.cards.size > 0],
    ['cost', 'Calculator', hasTokenPrices],
    ['history', 'History', true],
    ['changes', 'Changes', changes.length > 0],
    ['sources', 'Sources', details.claims.length > 0],
  ]
  return html`<ul class="toc">
    ${sections.map(([id, name, isThere]) => isThere && html`<li><a href="#${id}">${name}</a></li>`)}
  </ul>`
}

/** What a narrow screen leaves out. */
const optional = (column: AmountColumn): string => (column === 'cached_input_per_mtok' ? 'opt' : '')

/** Fewer equal prices stand each for itself. */
const groupRowsMin = 4

/** The prices on all platforms: those that nobody confirms and that are equal share a row. */
function platformSection(
  rows: readonly CatalogueRow[],
  { standings }: ProductDetails,
  rowCount: number,
): Html {
  const columns = amountColumns.filter((column) => rows.some((row) => row[column] !== null))
  const decimals = new Map(columns.map((column) => [column, countDecimals(rows.map((row) => row[column]))]))
  const isPlain = (row: CatalogueRow) =>
    !row.is_confirmed &&
    row.retires_on === null &&
    row.gone_since === null &&
    doubtOf(standings.get(row.resource_id)) === null
  const groups = [
    ...Map.groupBy(rows, (row) =>
      isPlain(row) ? columns.map((column) => row[column]).join() + row.currency : row.resource_id,
    ).values(),
  ].flatMap((group) => (group.length < groupRowsMin ? group.map((row) => [row]) : [group]))
  return html`<h2 id="platforms">Prices by platform</h2>
    ${cardTable(
      'Prices by platform',
      html`<th scope="col">Platform</th>
        ${columns.map(
          (column) => html`<th scope="col" class="num ${optional(column)}">${nameAmount(column)}</th>`,
        )}
        <th scope="col" class="opt">Agreement</th>
        <th scope="col" class="opt">Since</th>`,
      groups.map(
        (group) =>
          html`<tr>
            <th scope="row">${group.length === 1 ? platformCell(group[0]!, standings) : groupCell(group)}</th>
            ${columns.map((column) => amountCell(group[0]!, column, decimals.get(column)!, nameAmount(column), optional(column)))}
            <td class="opt">${agreement(standings.get(group[0]!.resource_id))}</td>
            <td class="opt">${group.length === 1 && dateCell(group[0]!)}</td>
          </tr>`,
      ),
      'lean dense',
    )}
    <p class="note">
      ${capitalize(columns.map((column) => `${nameAmount(column).toLowerCase()} ${formatAmountUnit(column)}`).join(', '))}.
      “–” is unknown, which is not free. “Confirmed”: at least two independent sources state the input and
      output price, and no more dispute it. “First seen”: no source gives a start date.
      ${rowCount > rows.length && `${rowCount - rows.length} more records are in the API.`}
      ${foreignLink(rows[0]?.source_url ?? null, 'Source page')}
    </p>`
}

function platformCell(row: CatalogueRow, standings: ProductDetails['standings']): Html {
  return html`<span id="${row.resource_id}"
      >${platformLink(findPlatform(row))}${row.region !== null && html` <span class="badge">${row.region}</span>`}${endMarks(row)}${doubt(standings.get(row.resource_id))}</span
    >
    <span class="id">${row.resource_id}</span>`
}

/** Platforms whose prices are equal, behind their number. */
function groupCell(rows: readonly CatalogueRow[]): Html {
  const names = [...new Set(rows.map((row) => companyName(findPlatform(row))))]
  return html`<details class="same">
    <summary>${names.slice(0, 2).join(', ')} and ${rows.length - Math.min(2, names.length)} more</summary>
    <ul>
      ${rows.map(
        (row) =>
          html`<li id="${row.resource_id}">
            ${platformLink(findPlatform(row))}${row.region !== null && html` <span class="badge">${row.region}</span>`}
            <span class="id">${row.resource_id}</span> <span class="soft">${sinceText(row)}</span>
          </li>`,
      )}
    </ul>
  </details>`
}

function dateCell(row: CatalogueRow): Html {
  return row.since_by === 'stated' ? day(row.since) : html`<span class="soft">${sinceText(row)}</span>`
}

/** Whether the price is confirmed; the rule that chose it is told on hover, and with the sources below. */
function agreement(standing: PriceStanding | undefined): Html {
  const { is_confirmed = null, rule = null } = standing ?? {}
  if (is_confirmed === null) return html`–`
  return html`<span class="badge ${is_confirmed && 'good'}" ${rule && html`title="${ruleText(rule)}"`}
    >${is_confirmed ? 'confirmed' : 'one source'}</span
  >`
}

/** That sources contradict a price which might be another before long. */
function doubt(standing: PriceStanding | undefined): Html {
  const text = doubtOf(standing)
  return text === null ? nothing : html` <span class="badge warn">${text}</span>`
}

const doubtOf = (standing: PriceStanding | undefined) => (standing ? doubtText(standing) : null)

function changesSection(changes: readonly StoredChange[], { id }: Model): Html {
  if (changes.length === 0) return nothing
  return html`<h2 id="changes">Changes</h2>
    ${changeList(changes)}
    <p><a href="${withQuery('/changes', buildQuery({ product: id }))}">All changes to this model</a></p>`
}

function alternativesSection(model: Model, catalogue: Catalogue): Html {
  const others = alternativesTo(model, catalogue, alternativesShown)
  if (others.length === 0) return nothing
  return html`<h2 id="alternatives">Similarly priced models</h2>
    <p class="soft">
      The same kind of model from its own maker, at half to twice the price. Capabilities are not compared.
    </p>
    ${modelTable(others, 'Similarly priced models')}
    <p>
      Compare with
      ${others.map((other, place) => html`${place > 0 && ', '}<a href="${pairPath(model, other)}">${other.name}</a>`)}
    </p>`
}

function forPrograms({ id, isProduct, rows }: Model): Html {
  const query = isProduct
    ? `product=${encodeURIComponent(id)}`
    : `platform=${encodeURIComponent(findPlatform(rows[0]!))}`
  return html`<h2>API</h2>
    <pre tabindex="0"><code>curl -H "Authorization: Bearer $RATECARD_API_KEY" \\
  "…/v1/prices?${query}"</code></pre>
    <p class="soft">
      <a href="/dashboard/sign-up">A free key</a> gives you 100 requests a day. Price alerts come with a
      <a href="/plans">plan</a>.
    </p>`
}

/** What search engines read: the model, and what a million tokens of it cost where. */
function structuredData(model: Model): object {
  const offers = model.rows.slice(0, 20).flatMap((row) =>
    (['input_per_mtok', 'output_per_mtok'] as const).flatMap((column) => {
      const amount = row[column]
      if (amount === null || row.currency === null) return []
      return [
        {
          '@type': 'Offer',
          price: formatDigits(amount).replaceAll(',', ''),
          priceCurrency: row.currency,
          seller: { '@type': 'Organization', name: companyName(findPlatform(row)) },
          priceSpecification: {
            '@type': 'UnitPriceSpecification',
            price: amount,
            priceCurrency: row.currency,
            unitText: column === 'input_per_mtok' ? '1M input tokens' : '1M output tokens',
          },
        },
      ]
    }),
  )
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: model.name,
    productID: model.id,
    category: 'AI model',
    brand: { '@type': 'Brand', name: companyName(model.vendor) },
    ...(offers.length > 0 && { offers }),
  }
}
