import { capitalize, formatAmountUnit, formatCount, nameAmount } from '@ratecard/contract/wording'
import {
  findPlatform,
  isFree,
  isOwn,
  isRetired,
  type CatalogueRow,
  type Model,
} from '../../catalog/catalogue.ts'
import { variantText } from '../../catalog/model-family.ts'
import { amountColumns, type AmountColumn } from '../../catalog/price-record.ts'
import { doubtText, ruleText } from '../../catalog/price-rule.ts'
import type { PriceStanding, ProductDetails } from '../../catalog/product-store.ts'
import { html, nothing, type Html } from './html.ts'
import { amountCell, cardTable, endMarks } from './parts.ts'
import { countShown, day, foreignLink, platformLink, sinceText } from './words.ts'

type Standings = ProductDetails['standings']

/** What a narrow screen leaves out. */
export const optional = (column: AmountColumn): string => (column === 'cached_input_per_mtok' ? 'opt' : '')

/** The prices on all platforms: the maker's own first, then those that differ from it; equal ones share a row. */
export function platformSection(
  { id, headline, rows: all }: Model,
  rows: readonly CatalogueRow[],
  { standings }: ProductDetails,
): Html {
  const columns = amountColumns.filter((column) => rows.some((row) => row[column] !== null))
  const decimals = new Map(columns.map((column) => [column, countShown(rows.map((row) => row[column]))]))
  const toPrice = (row: CatalogueRow) => columns.map((column) => row[column]).join() + row.currency
  const usual = toPrice(headline)
  const rank = (row: CatalogueRow) => {
    if (isRetired(row) || row.gone_since !== null) return 4
    if (isOwn(row)) return 0
    // What is free has limits, and what is unknown is none: they are compared with nothing.
    const isUnknown = columns.every((column) => row[column] === null)
    return isFree(row) || isUnknown ? 3 : toPrice(row) === usual ? 2 : 1
  }
  const ordered = rows.toSorted((a, b) => rank(a) - rank(b))
  const groups = groupEqual(ordered, (row) => [toPrice(row), rank(row), row.retires_on].join(), standings)
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
              <th scope="row">${platformCell(group[0]!, id, standings)}</th>
              ${columns.map((column) => amountCell(group[0]!, column, decimals.get(column)!, optional(column)))}
              <td class="opt">${agreement(standings.get(group[0]!.resource_id))}</td>
              ${dateCell(group[0]!)}
            </tr>
            ${group.length > 1 && othersRow(group, id, standings)}`,
      ),
      'lean dense',
    )}
    <p class="note">
      ${capitalize(columns.map((column) => `${nameAmount(column).toLowerCase()} ${formatAmountUnit(column)}`).join(', '))}.
      “–” is unknown, which is not free. “Confirmed”: at least two independent sources state the input and
      output price, and no more dispute it. “First seen”: no source gives a start date.
      ${all.length > rows.length && `${all.length - rows.length} more records are in the API.`}
      ${foreignLink(rows[0]?.source_url ?? null, 'Source page')}
    </p>`
}

/** Fewer platforms with one price stand each for itself; what one platform sells at one price never does. */
const platformsMin = 4

function groupEqual(
  rows: readonly CatalogueRow[],
  toPrice: (row: CatalogueRow) => string,
  standings: Standings,
): CatalogueRow[][] {
  const doubtIn = (row: CatalogueRow) => describeDoubt(standings.get(row.resource_id))
  // The record that is known best stands for what its platform sells at a price.
  const rank = (row: CatalogueRow) => (row.is_confirmed ? 0 : 1) + (doubtIn(row) === null ? 0 : 2)
  const offers = [...Map.groupBy(rows, (row) => `${toPrice(row)} ${findPlatform(row)}`).values()].map(
    (offer) => offer.toSorted((a, b) => rank(a) - rank(b)),
  )
  const alike = Map.groupBy(offers, ([best]) => [toPrice(best!), best!.is_confirmed, doubtIn(best!)].join())
  return [...alike.values()].flatMap((equal) => (equal.length < platformsMin ? equal : [equal.flat()]))
}

/** A platform, with what sets its record apart from others of the model. */
function platformCell(row: CatalogueRow, modelId: string, standings: Standings): Html {
  const variant = variantText(row.resource_id, modelId, [row.vendor, row.platform])
  return html`${platformLink(findPlatform(row))}${row.region !== null && html` <span class="badge">${row.region}</span>`}${variant !== '' && html` <span class="badge">${variant}</span>`}${endMarks(row)}${doubt(standings.get(row.resource_id))}
    <span class="id" id="${row.resource_id}">${row.resource_id}</span>`
}

/** The others of a row, behind their number. A heading of the row would be read with each amount. */
function othersRow([first, ...others]: readonly CatalogueRow[], modelId: string, standings: Standings): Html {
  // What the row says of the first holds for the others where they do not say otherwise.
  const describeAgreement = ({ resource_id, is_confirmed }: CatalogueRow) =>
    is_confirmed !== first!.is_confirmed && agreement(standings.get(resource_id))
  const platforms = new Set(others.map(findPlatform))
  const isOne = platforms.size === 1 && platforms.has(findPlatform(first!))
  const isDated = others.every((row) => /\d{4}/.test(variantText(row.resource_id, modelId)))
  const count = isOne
    ? formatCount(others.length, isDated ? 'snapshot' : 'record')
    : formatCount(platforms.size, 'platform')
  return html`<tr class="more">
    <td colspan="2">
      <details class="same">
        <summary>+ ${count} at the same price</summary>
        <ul>
          ${others.map((row) => html`<li>${platformCell(row, modelId, standings)} ${describeAgreement(row)} <span class="soft">${sinceText(row)}</span></li>`)}
        </ul>
      </details>
    </td>
  </tr>`
}

function dateCell(row: CatalogueRow): Html {
  return row.since_by === 'stated'
    ? html`<td class="opt">${day(row.since)}</td>`
    : html`<td class="opt soft">${sinceText(row)}</td>`
}

/** Whether the price is confirmed; the rule that chose it is told on hover, and with the sources below. */
function agreement(standing: PriceStanding | undefined): Html {
  const { is_confirmed = null, rule = null } = standing ?? {}
  if (is_confirmed === null) return html`–`
  // The badge says as much of the usual two.
  const isUsual = rule === 'agreed' || rule === 'alone'
  return html`<span
    class="badge${is_confirmed && ' good'}"
    ${rule && !isUsual && html`title="${ruleText(rule)}"`}
    >${is_confirmed ? 'confirmed' : 'one source'}</span
  >`
}

/** That sources contradict a price which might be another before long. */
function doubt(standing: PriceStanding | undefined): Html {
  const text = describeDoubt(standing)
  return text === null ? nothing : html` <span class="badge warn">${text}</span>`
}

const describeDoubt = (standing: PriceStanding | undefined) => (standing ? doubtText(standing) : null)
