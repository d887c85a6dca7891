import { formatAmount, formatCount, listAmounts, nameAmount } from '@ratecard/contract/wording'
import { findPlatform, type CatalogueRow } from '../../catalog/catalogue.ts'
import { companyName, sourceName } from '@ratecard/contract/model-name'
import { isServed } from '../../catalog/agreement.ts'
import { amountColumns, type AmountColumn } from '../../catalog/price-record.ts'
import { otherwiseText, ruleText } from '../../catalog/price-rule.ts'
import type { PriceStanding, ProductDetails, SourceClaim } from '../../catalog/product-store.ts'
import type { QuotedDocument } from '../../catalog/quoted-document.ts'
import { html, nothing, type Html } from './html.ts'
import { cardTable } from './parts.ts'
import { day, foreignLink } from './words.ts'

/** A price with what each source says of it. */
interface ToldPrice {
  row: CatalogueRow
  claims: readonly SourceClaim[]
  standing: PriceStanding | undefined
  /** "2 sources state otherwise" */
  otherwise: string | null
}

/** Records that are in sight from the beginning. */
const openMax = 8

/** Who says so, and since when. Prices that no source states otherwise stand together, by the rule that chose them. */
export function sourcesSection(
  rows: readonly CatalogueRow[],
  { claims: all, standings }: ProductDetails,
): Html {
  const byResource = Map.groupBy(all, ({ resource_id }) => resource_id)
  const told = rows.flatMap((row): ToldPrice[] => {
    const claims = byResource.get(row.resource_id)
    const standing = standings.get(row.resource_id)
    return claims
      ? [{ row, claims, standing, otherwise: standing ? otherwiseText(standing.evidence) : null }]
      : []
  })
  if (told.length === 0) return nothing
  const groups = Map.groupBy(told, (price) =>
    isUndisputed(price) ? String(price.standing?.rule) : price.row.resource_id,
  )
  return html`<h2 id="sources">Who says so</h2>
    <p class="soft">
      What each source says now, and since when. The price above is decided from all of them;
      <a href="/status">Data status</a> lists the sources, and how old each is.
    </p>
    ${[...groups.values()].map(
      (group, place) =>
        html`<details${place === 0 && group.length <= openMax && html` open`}>
          ${isUndisputed(group[0]!) ? undisputedPrices(group) : disputedPrice(group[0]!)}
          ${group.flatMap(({ claims }) => claims.map(({ source, document }) => document && quotedDocument(source, document)))}
        </details>`,
    )}`
}

function isUndisputed({ row, claims, otherwise }: ToldPrice): boolean {
  const served = { amounts: row, currency: row.currency }
  const isTheirs = (claim: SourceClaim, column: AmountColumn) =>
    claim.amounts[column] == null || isServed(claim, served, column)
  return (
    otherwise === null && claims.every((claim) => amountColumns.every((column) => isTheirs(claim, column)))
  )
}

/** "Input $3.00, Output $15.00" */
function pricesText(row: CatalogueRow): string {
  const stated = amountColumns.filter((column) => row[column] !== null)
  return listAmounts(stated, row, row.currency) || 'No amount'
}

/** Of each record the price and who states it. */
function undisputedPrices(group: readonly ToldPrice[]): Html {
  const [{ standing }] = group as [ToldPrice]
  const why = standing?.rule ? ruleText(standing.rule) : 'No source states otherwise.'
  return html`<summary>${formatCount(group.length, 'price')}: ${why}</summary>
    <ul class="lines">
      ${group.map(
        ({ row, claims, standing }) =>
          html`<li>
            ${placeText(row)}: ${pricesText(row)} <span class="id">${row.resource_id}</span>
            <span class="soft"
              >${claims.map((claim, place) => html`${place > 0 && ', '}${sourceName(claim.source)} ${sinceText(claim, standing)}`)}</span
            >
          </li>`,
      )}
    </ul>`
}

/** What its sources state: those that state the same share a row. */
function disputedPrice({ row, claims, standing, otherwise }: ToldPrice): Html {
  const columns = amountColumns.filter(
    (column) => row[column] !== null || claims.some(({ amounts }) => amounts[column] != null),
  )
  const statements = Map.groupBy(claims, ({ amounts, currency }) =>
    columns.map((column) => formatAmount(amounts[column], currency)).join(),
  )
  return html`<summary>
      ${placeText(row)} · ${formatCount(claims.length, 'source')}
      ${otherwise !== null && html`<span class="badge warn">${otherwise}</span>`}
      <span class="id">${row.resource_id}</span>
    </summary>
    ${standing?.rule && html`<p class="soft">${ruleText(standing.rule)}</p>`}
    ${cardTable(
      `Sources of ${row.resource_id}`,
      html`<th scope="col">Sources</th>
        ${columns.map((column) => html`<th scope="col">${nameAmount(column)}</th>`)}`,
      [...statements.values()].map(
        (alike) =>
          html`<tr>
            <th scope="row">
              ${alike.map((claim) => html`<div>${foreignLink(claim.source_url, sourceName(claim.source))} ${sinceText(claim, standing)} <span class="id">${claim.source_key}</span></div>`)}
            </th>
            ${columns.map((column) => statedCell(row, alike[0]!, column))}
          </tr>`,
      ),
    )}`
}

const placeText = (row: CatalogueRow): string =>
  companyName(findPlatform(row)) + (row.region === null ? '' : `, ${row.region}`)

/** Since when a source states it, and whether it is the one whose dates are served. */
function sinceText(claim: SourceClaim, standing: PriceStanding | undefined): Html {
  const { source, first_seen, since, gone_since } = claim
  const [latest] = [first_seen, ...Object.values(since)].toSorted().reverse()
  return html`since
  ${latest!.slice(0, 10)}${source === standing?.source && html` <span class="badge">used</span>`}${
    gone_since !== null && html` <span class="badge bad">dropped on ${gone_since.slice(0, 10)}</span>`
  }`
}

/** What a source states, and whether it is what is served. */
function statedCell(row: CatalogueRow, claim: SourceClaim, column: AmountColumn): Html {
  const stated = claim.amounts[column]
  return html`<td data-label="${nameAmount(column)}">
    ${stated == null ? '–' : formatAmount(stated, claim.currency)}${
      stated != null &&
      !isServed(claim, { amounts: row, currency: row.currency }, column) &&
      html` <span class="badge warn">not served</span>`
    }
  </td>`
}

/** The seller's own words, and how to find them. */
function quotedDocument(source: string, { url, sha256, read_at, quotes }: QuotedDocument): Html {
  return html`<figure class="quoted">
    <figcaption>
      In the seller’s own words: ${url === null ? sourceName(source) : foreignLink(url, url)}, read on
      ${day(read_at)}
    </figcaption>
    ${quotes.map(
      ({ text, from, to }) =>
        html`<blockquote>
          ${text}
          <footer>bytes ${String(from)} to ${String(to)}</footer>
        </blockquote>`,
    )}
    <p class="soft">
      Check it yourself: get the document, compare its SHA-256 with <span class="id">${sha256}</span>, and
      look at these bytes.
    </p>
  </figure>`
}
