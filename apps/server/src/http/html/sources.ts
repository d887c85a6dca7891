import { formatAmount, formatCount, nameAmount } from '@ratecard/contract/wording'
import { findPlatform, type CatalogueRow } from '../../catalog/catalogue.ts'
import { companyName } from '@ratecard/contract/model-name'
import { isServed } from '../../features/prices/agreement.ts'
import { amountColumns, type AmountColumn } from '../../features/prices/price-record.ts'
import { otherwiseText, ruleText } from '../../features/prices/price-rule.ts'
import type { ProductDetails, SourceClaim } from '../../catalog/product-store.ts'
import type { QuotedDocument } from '../../features/prices/quoted-document.ts'
import { html, nothing, type Html } from './html.ts'
import { cardTable } from './parts.ts'
import { day, foreignLink } from './words.ts'

const openRecords = 1

/** Who says so, since when, and how old his data are. */
export function sourcesSection(rows: readonly CatalogueRow[], details: ProductDetails): Html {
  const byResource = Map.groupBy(details.claims, ({ resource_id }) => resource_id)
  const told = rows.filter(({ resource_id }) => byResource.has(resource_id))
  if (told.length === 0) return nothing
  return html`<h2 id="sources">Who says so</h2>
    <p class="soft">
      What each source says now. The price above is decided from all of them;
      <a href="/status">Data status</a>
      lists the sources.
    </p>
    ${told.map((row, index) => renderClaims(row, byResource.get(row.resource_id) ?? [], details, index < openRecords))}`
}

function renderClaims(
  row: CatalogueRow,
  claims: readonly SourceClaim[],
  { standings }: ProductDetails,
  isOpen: boolean,
): Html {
  const columns = amountColumns.filter(
    (column) => row[column] !== null || claims.some(({ amounts }) => amounts[column] != null),
  )
  const standing = standings.get(row.resource_id)
  const otherwise = standing ? otherwiseText(standing.evidence) : null
  return html`<details${isOpen && html` open`}>
    <summary>
      ${companyName(findPlatform(row))}${row.region !== null && `, ${row.region}`} · ${formatCount(claims.length, 'source')}
      ${otherwise !== null && html`<span class="badge warn">${otherwise}</span>`}
      <span class="id">${row.resource_id}</span>
    </summary>
    ${standing?.rule && html`<p class="soft">${ruleText(standing.rule)}</p>`}
    ${cardTable(
      `Sources of ${row.resource_id}`,
      html`<th scope="col">Source</th>
        ${columns.map((column) => html`<th scope="col">${nameAmount(column)}</th>`)}
        <th scope="col">Record</th>
        <th scope="col">Known since</th>
        <th scope="col">Data of</th>
        <th scope="col">Read</th>`,
      claims.map(
        (claim) =>
          html`<tr>
            <th scope="row">
              ${claim.source}${claim.source === standing?.source && html` <span class="badge">used</span>`}${
                claim.gone_since !== null &&
                html` <span class="badge bad">dropped on ${claim.gone_since.slice(0, 10)}</span>`
              }
            </th>
            ${columns.map((column) => statedCell(row, claim, column))}
            <td data-label="Record">${foreignLink(claim.source_url, claim.source_key)}</td>
            <td data-label="Known since">${day(claim.first_seen)}</td>
            <td data-label="Data of">${claim.data_at ?? '–'}</td>
            <td data-label="Read">${claim.read_at === null ? '–' : day(claim.read_at)}</td>
          </tr>`,
      ),
    )}
    ${claims.map(({ source, document }) => document && quotedDocument(source, document))}
  </details>`
}

/** The seller's own words, and how to find them. */
function quotedDocument(source: string, { url, sha256, read_at, quotes }: QuotedDocument): Html {
  return html`<figure class="quoted">
    <figcaption>
      In the seller’s own words: ${url === null ? source : foreignLink(url, url)}, read on ${day(read_at)}
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

/** What the source states, whether it is what is served, and since when. */
function statedCell(row: CatalogueRow, claim: SourceClaim, column: AmountColumn): Html {
  const stated = claim.amounts[column]
  const since = claim.since[column]
  return html`<td data-label="${nameAmount(column)}">
    ${stated == null ? '–' : formatAmount(stated, claim.currency)}${
      stated != null &&
      !isServed(claim, { amounts: row, currency: row.currency }, column) &&
      html` <span class="badge warn">not served</span>`
    }${since !== undefined && html`<br /><span class="soft">since ${day(since)}</span>`}
  </td>`
}
