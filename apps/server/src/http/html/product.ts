import {
  formatAmount,
  formatAmountUnit,
  formatCount,
  formatDigits,
  nameAmount,
  nameModality,
} from '@ratecard/contract/wording'
import { listGivenDays } from '../../features/changes/given-days.ts'
import {
  alternativesTo,
  findPlatform,
  isFree,
  isRetired,
  type Catalogue,
  type CatalogueRow,
  type Model,
} from '../../catalog/catalogue.ts'
import { findByGuess } from '../../catalog/model-search.ts'
import { companyName } from '@ratecard/contract/model-name'
import { amountColumns } from '../../catalog/price-record.ts'
import { readProductDetails, type ProductDetails } from '../../catalog/product-store.ts'
import type { StoredChange } from '../../features/changes/change-store.ts'
import { mapInTurns } from '../../platform/in-turns.ts'
import { scriptFile } from './assets.ts'
import { calculator, isPricedByToken, readUse, useQuery, usualUse, type Use } from './calculator.ts'
import { forPrograms } from './for-programs.ts'
import { historySection } from './history.ts'
import { html, nothing, type Html } from './html.ts'
import { buildQuery, withQuery } from './inputs.ts'
import { redirectPage, type CreatePage, type Page } from './layout.ts'
import { notFoundPage } from './not-found.ts'
import type { PageCache, PageData } from './page-cache.ts'
import { makerMark } from './maker-mark.ts'
import { addressPicture } from './pictures/address.ts'
import { changeList } from './change-list.ts'
import { listOfModel } from './changes.ts'
import { factList, modelTable } from './model-table.ts'
import { platformSection } from './platform-prices.ts'
import { reportForm } from './price-report.ts'
import { watchButton } from './watch-button.ts'
import { announcedSection, cardSection } from './rate-cards.ts'
import { sourcesSection } from './sources.ts'
import {
  isStated,
  modelPath,
  pairPath,
  priceText,
  productPath,
  retirementText,
  sinceText,
  vendorLink,
  vendorPath,
} from './words.ts'

const changesShown = 10
const offersMax = 6
const alternativesShown = 5
const variantsMax = 20
const namesShown = 3
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
        if (model?.id === id) return modelPage(createPage, model, data, use)
        if (model) return redirectPage(variantPath(model, ({ product_id }) => product_id === id))
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

/** `/prices/<resource_id>`: a record that no product is known of. The others lead to the page of their product. */
export function recordPage(pages: PageCache, createPage: CreatePage) {
  return pages.handler((req) => {
    const id = String(req.params.id)
    const use = readUse(req)
    return {
      key: withQuery(`/prices/${encodeURIComponent(id)}`, useQuery(use)),
      render: (data) => {
        const model = data.catalogue.records.get(id)
        if (!model) return notFoundPage(createPage, 'price', id, data.catalogue)
        return model.isProduct
          ? redirectPage(variantPath(model, ({ resource_id }) => resource_id === id))
          : modelPage(createPage, model, data, use)
      },
    }
  })
}

/** The place on the page of a model where the first such record of it stands. */
function variantPath(model: Model, isMeant: (row: CatalogueRow) => boolean): string {
  const row = model.rows.find(isMeant)
  return row ? `${modelPath(model)}#${encodeURIComponent(row.resource_id)}` : modelPath(model)
}

async function modelPage(
  createPage: CreatePage,
  model: Model,
  data: PageData,
  use: Use | null,
): Promise<Page> {
  const { db, catalogue, ages } = data
  const rows = model.rows.slice(0, recordsMax)
  const details = await readProductDetails(
    db,
    rows.map(({ resource_id }) => resource_id),
    await listGivenDays(db),
  )
  const changes = await listOfModel(data, model)
  const path = modelPath(model)
  const named = isStated(model.vendor) ? `${model.name} by ${companyName(model.vendor)}` : model.name
  const parts = [
    () => platformSection(model, rows, details),
    () => reportForm(rows),
    () => announcedSection(details.announced, rows),
    () => cardSection(rows, details.cards),
    () => calculator(rows, details.cards, use ?? usualUse, { path }),
    () => historySection(rows, details, changes),
    () => changesSection(changes, model, catalogue),
    () => (model.isProduct ? createPage.follow({ kind: 'product', name: model.id }) : nothing),
    () => sourcesSection(rows, details),
    () => alternativesSection(model, catalogue),
  ]
  const sections = await mapInTurns(parts, 1, (part) => part())
  return createPage({
    title: `${model.name} price: ${modelText(model)}`,
    description: `What ${named} costs on ${formatCount(model.platforms.length, 'platform')}: ${modelText(model)}. Rate card, history, changes and sources.`,
    // A search engine is told of the page of a product, and of no calculation.
    ...(model.isProduct && { canonical: path }),
    section: '/models',
    ages,
    script: scriptFile,
    feed: buildQuery({ product: model.id }),
    jsonLd: structuredData(model),
    ...(model.isProduct && {
      picture: addressPicture(path, model.updated_at, `${named}: ${modelText(model)}`),
    }),
    body: html`<p class="crumbs"><a href="/models">Models</a> / ${vendorLink(model.vendor)}</p>
      <h1>${makerMark(model.vendor)}${model.name}</h1>
      <p class="meta">
        <code class="id">${model.id}</code> <span class="badge">${nameModality(model.modality)}</span>
        <span>${isStated(model.vendor) ? html`by ${vendorLink(model.vendor)}` : 'maker not stated'}</span>
        <span>price ${sinceText(model.headline)}</span>
        ${watchButton('product', model.id, path)}
      </p>
      ${variantsLine(model)} ${warnings(model)} ${tiles(model, details)} ${factList(model)}
      ${contents(model, details, changes)} ${sections} ${forPrograms(model, createPage.publicUrl)}`,
  })
}

/** The ids that are other names of it, or other ways to buy it. */
function variantsLine({ variants, name }: Model): Html {
  if (variants.length === 0) return nothing
  const shown = variants.slice(0, variantsMax)
  return html`<details class="same">
    <summary>${formatCount(variants.length, 'variant')} of ${name} on this page</summary>
    <p class="soft">
      The same weights in another precision, speed or tier, or under a host's name:
      ${shown.map((id, place) => html`${place > 0 && ', '}<span class="id">${id}</span>`)}.
    </p>
  </details>`
}

/** "$1.25 in, $10.00 out per 1M tokens", "median $0.60 in, …" where the maker does not sell it. */
export function modelText({ headline, others }: Model): string {
  return others.length < 2 ? priceText(headline) : `median ${priceText(headline)}`
}

function listNames(platforms: readonly string[]): string {
  const more = platforms.length - namesShown
  const names = platforms.slice(0, namesShown).map(companyName).join(', ')
  return more > 0 ? `${names} and ${more} more` : names
}

function warnings({ headline, rows, others, vendor }: Model): Html {
  const retirement = retirementText(headline)
  const free = [...new Set(rows.filter((row) => isFree(row) && !isRetired(row)).map(findPlatform))]
  const texts = [
    others.length > 1 &&
      `${isStated(vendor) ? `${companyName(vendor)} does not sell it` : 'Nobody states who makes it'}. These are the median of ${formatCount(others.length, 'price')} elsewhere; the cheapest is ${companyName(findPlatform(others[0]!))} at ${priceText(others[0]!)}.`,
    retirement !== null && `It ${retirement}.`,
    headline.gone_since !== null && `No source has listed it since ${headline.gone_since.slice(0, 10)}.`,
    free.length > 0 &&
      !isFree(headline) &&
      `Free within limits on ${listNames(free)}; “cheapest” leaves that out.`,
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

function changesSection(changes: readonly StoredChange[], { id }: Model, catalogue: Catalogue): Html {
  if (changes.length === 0) return nothing
  return html`<h2 id="changes">Changes</h2>
    ${changeList(changes.slice(0, changesShown), catalogue)}
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

/** What search engines read: the model, and what a million tokens of it cost where. */
function structuredData(model: Model): object {
  const offers = model.rows.slice(0, offersMax).flatMap((row) =>
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
    ...(isStated(model.vendor) && { brand: { '@type': 'Brand', name: companyName(model.vendor) } }),
    ...(offers.length > 0 && { offers }),
  }
}
