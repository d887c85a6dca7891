import { formatCount, formatOtherAmounts, nameAmount } from '@ratecard/contract/wording'
import { listChanges } from '../../features/changes/change-store.ts'
import type { CatalogueRow, Model } from '../../catalog/catalogue.ts'
import { companyName } from '@ratecard/contract/model-name'
import { html, nothing, type Html } from './html.ts'
import { readPage, buildQuery, withQuery } from './inputs.ts'
import type { CreatePage } from './layout.ts'
import { notFoundPage } from './not-found.ts'
import type { PageCache } from './page-cache.ts'
import { addressPicture } from './pictures/address.ts'
import { changeList } from './change-list.ts'
import { makerMark } from './maker-mark.ts'
import { modelTable, usualColumns } from './model-table.ts'
import { watchButton } from './watch-button.ts'
import { amountCell, cardTable, pageLinks, rateMarks } from './parts.ts'
import { optional } from './platform-prices.ts'
import {
  countShown,
  day,
  isStated,
  modelPath,
  platformPath,
  sinceText,
  vendorLink,
  vendorPath,
} from './words.ts'

const rowsOnPage = 100
const changesShown = 8
/** The maker is in the heading. */
const columns = usualColumns.filter((column) => column !== 'maker')

/** All models of a maker, and what moved. */
export function vendorPage(pages: PageCache, createPage: CreatePage) {
  return pages.handler((req) => {
    const vendor = String(req.params.vendor)
    const page = readPage(req)
    const path = vendorPath(vendor)
    return {
      key: withQuery(path, buildQuery({ page: page > 1 && page })),
      render: async ({ catalogue, db, ages }) => {
        const models = catalogue.vendors.get(vendor) ?? []
        const position = { cursor: null, limit: changesShown }
        const isAsked = page === 1 && !vendor.includes('\0')
        const changes = isAsked ? (await listChanges(db, { vendor }, position)).rows : []
        if (models.length === 0 && changes.length === 0)
          return notFoundPage(createPage, 'maker', vendor, catalogue)
        const name = isStated(vendor) ? companyName(vendor) : 'Makers not stated'
        const { shown, links } = slice(models, path, page)
        return createPage({
          title:
            models.length > 0
              ? `${name}: prices of ${formatCount(models.length, 'model')}`
              : `${name}: changes`,
          description: `What the models of ${name} cost, on every platform that sells them, with rate cards and history.`,
          canonical: withQuery(path, buildQuery({ page: page > 1 && page })),
          section: '/models',
          ages,
          feed: buildQuery({ vendor }),
          ...(models.length > 0 && {
            picture: addressPicture(
              path,
              String(models.length),
              `${name}: ${formatCount(models.length, 'model')}`,
            ),
          }),
          body: html`<p class="crumbs"><a href="/models">Models</a> / Makers</p>
            <h1>${makerMark(vendor)}${name}</h1>
            <p class="lead">
              ${formatCount(models.length, 'model')}, in US dollars per million tokens unless stated
              otherwise.
            </p>
            <p>${watchButton('vendor', vendor, path)}</p>
            ${shown.length > 0 && modelTable(shown, `Models of ${name}`, { columns })} ${links}
            ${models.length > 0 && createPage.follow({ kind: 'vendor', name: vendor })}
            ${
              changes.length > 0
                ? html`<h2>Latest changes</h2>
                    ${changeList(changes)}
                    <p>
                      <a href="${withQuery('/changes', buildQuery({ vendor }))}">All changes from ${name}</a>
                    </p>`
                : nothing
            }`,
        })
      },
    }
  })
}

/** What a platform sells. */
export function platformPage(pages: PageCache, createPage: CreatePage) {
  return pages.handler((req) => {
    const platform = String(req.params.platform)
    const page = readPage(req)
    const path = platformPath(platform)
    const key = withQuery(path, buildQuery({ page: page > 1 && page }))
    return {
      key,
      render: ({ catalogue, ages }) => {
        const sold = catalogue.platforms.get(platform)
        if (sold === undefined) return notFoundPage(createPage, 'platform', platform, catalogue)
        const name = companyName(platform)
        const { shown, links } = slice(sold, path, page)
        return createPage({
          title: `${name}: prices of ${formatCount(sold.length, 'model')}`,
          description: `What models cost on ${name}: input, output and cached input, with rate cards, history and sources.`,
          canonical: key,
          section: '/models',
          ages,
          picture: addressPicture(path, String(sold.length), `${name}: ${formatCount(sold.length, 'price')}`),
          body: html`<p class="crumbs"><a href="/models">Models</a> / Platforms</p>
            <h1>${name}</h1>
            <p class="lead">
              ${formatCount(sold.length, 'price')} on ${name}, per million tokens unless stated otherwise.
            </p>
            ${platformTable(shown, name)} ${links}`,
        })
      },
    }
  })
}

function slice<Row>(rows: readonly Row[], path: string, page: number): { shown: Row[]; links: Html } {
  const pageCount = Math.max(1, Math.ceil(rows.length / rowsOnPage))
  const at = Math.min(page, pageCount)
  return {
    shown: rows.slice((at - 1) * rowsOnPage, at * rowsOnPage),
    links: pageLinks(path, new URLSearchParams(), at, pageCount),
  }
}

function platformTable(sold: readonly { row: CatalogueRow; model: Model }[], name: string): Html {
  const columns = ['input_per_mtok', 'output_per_mtok', 'cached_input_per_mtok'] as const
  const decimals = new Map(columns.map((column) => [column, countShown(sold.map(({ row }) => row[column]))]))
  return cardTable(
    `Prices on ${name}`,
    html`<th scope="col">Model</th>
      <th scope="col" class="opt">Maker</th>
      ${columns.map((column) => html`<th scope="col" class="num ${optional(column)}">${nameAmount(column)}</th>`)}
      <th scope="col" class="opt">Other</th>
      <th scope="col" class="opt">Since</th>`,
    sold.map(
      ({ row, model }) =>
        html`<tr>
          <th scope="row">
            <a href="${modelPath(model)}">${model.name}</a
            >${row.region !== null && html` <span class="badge">${row.region}</span>`} ${rateMarks(row)}<br /><span
              class="id"
              >${row.resource_id}</span
            >
            <span class="narrow">${formatOtherAmounts(row)}</span>
          </th>
          <td class="opt">${vendorLink(row.vendor)}</td>
          ${columns.map((column) => amountCell(row, column, decimals.get(column)!, optional(column)))}
          <td class="opt">${formatOtherAmounts(row)}</td>
          <td class="opt">${row.since_by === 'stated' ? day(row.since) : sinceText(row)}</td>
        </tr>`,
    ),
    'lean dense',
  )
}
