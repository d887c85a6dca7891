import {
  countDecimals,
  formatAmount,
  formatAmountUnit,
  formatCondition,
  formatCount,
  formatPercent,
  formatRatio,
  formatUnit,
  measureMove,
  nameAmount,
  nameMeter,
  sortRates,
} from '@ratecard/contract/wording'
import { findPlatform, type CatalogueRow } from '../../catalog/catalogue.ts'
import { companyName, sourceName } from '@ratecard/contract/model-name'
import { amountColumns } from '../../features/prices/price-record.ts'
import type { AnnouncedPrice, JudgedRate } from '../../catalog/product-store.ts'
import { html, nothing, type Html } from './html.ts'
import { cardTable } from './parts.ts'
import { amountHtml, day, platformLink } from './words.ts'

/** Cards that are open from the beginning: those of the records one came for. */
const openCards = 1

/** Every rate that is stored, by record: long context, batch, cache, hours, regions. */
export function cardSection(
  rows: readonly CatalogueRow[],
  cards: ReadonlyMap<string, readonly JudgedRate[]>,
): Html {
  const withCards = rows.filter(({ resource_id }) => cards.has(resource_id))
  if (withCards.length === 0) return nothing
  return html`<h2 id="card">Full rate card</h2>
    <p class="soft">Rates for long prompts, batch, off-peak hours, regions and cache writes.</p>
    ${withCards.map((row, index) => renderCard(row, cards.get(row.resource_id) ?? [], index < openCards))}`
}

function renderCard(row: CatalogueRow, rates: readonly JudgedRate[], isOpen: boolean): Html {
  const decimals = countDecimals(rates.map(({ amount }) => amount))
  const name = `${companyName(findPlatform(row))}${row.region === null ? '' : `, ${row.region}`}`
  const ordered = sortRates(rates)
  const areJudged = rates.some(({ said_by }) => said_by !== null)
  return html`<details${isOpen && html` open`}>
    <summary>${name} · ${formatCount(rates.length, 'rate')} <span class="id">${row.resource_id}</span></summary>
    ${cardTable(
      `Rates of ${row.resource_id}`,
      html`<th scope="col">When</th>
        <th scope="col">What</th>
        <th scope="col" class="num">Amount</th>
        <th scope="col">Unit</th>
        <th scope="col">vs. standard</th>
        ${areJudged && html`<th scope="col">Said by</th>`}`,
      ordered.map(
        (rate) =>
          html`<tr>
            <th scope="row">${formatCondition(rate)}</th>
            <td data-label="What">${nameMeter(rate.meter)}</td>
            <td class="num" data-label="Amount">
              ${
                rate.unit === 'multiplier'
                  ? html`× ${rate.amount}<span class="frac f${decimals}"></span>`
                  : amountHtml(rate.amount, { currency: row.currency, decimals })
              }
            </td>
            <td data-label="Unit">${formatUnit(rate.unit)}</td>
            <td data-label="vs. standard">${formatRatio(row, rate)}</td>
            ${areJudged && html`<td data-label="Said by">${witnesses(rate, row.currency)}</td>`}
          </tr>`,
      ),
    )}
  </details>`
}

/** Who states a rate, and who states another amount. */
function witnesses({ unit, said_by, denied_by }: JudgedRate, currency: string | null): Html {
  const others = Object.entries(denied_by ?? {}).map(
    ([source, amount]) =>
      html`<span class="why"
        >${sourceName(source)} states ${unit === 'multiplier' ? `× ${amount}` : formatAmount(amount, currency)}</span
      >`,
  )
  return html`<span class="soft">${said_by?.map(sourceName).join(', ') || '–'}</span>${others}`
}

/** Prices that begin on a later day. */
export function announcedSection(announced: readonly AnnouncedPrice[], rows: readonly CatalogueRow[]): Html {
  if (announced.length === 0) return nothing
  const byId = new Map(rows.map((row) => [row.resource_id, row]))
  return html`<h2 id="announced">Announced</h2>
    ${cardTable(
      'Announced prices',
      html`<th scope="col">From</th>
        <th scope="col">Platform</th>
        <th scope="col">Price then</th>
        <th scope="col">Said by</th>`,
      announced.map(({ resource_id, starts_on, amounts, source, learned_at }) => {
        const row = byId.get(resource_id)
        const moved = amountColumns.filter(
          (column) => amounts[column] != null && amounts[column] !== row?.[column],
        )
        const shown = moved.length > 0 ? moved : amountColumns.filter((column) => amounts[column] != null)
        return html`<tr>
          <th scope="row"><time datetime="${starts_on}">${starts_on}</time></th>
          <td data-label="Platform">
            ${row ? platformLink(findPlatform(row)) : nothing} <span class="id">${resource_id}</span>
          </td>
          <td data-label="Price then">
            ${shown.map(
              (column) =>
                html`<div>
                  ${nameAmount(column)}
                  ${row?.[column] != null && moved.length > 0 && html`${formatAmount(row[column], row.currency)} →`}
                  <strong>${formatAmount(amounts[column], row?.currency ?? null)}</strong>
                  <span class="soft">${formatAmountUnit(column)}</span>
                  ${change(row?.[column], amounts[column])}
                </div>`,
            )}
          </td>
          <td data-label="Said by">${sourceName(source)}, known since ${day(learned_at)}</td>
        </tr>`
      }),
    )}`
}

/** "+100 %" */
function change(before: string | null | undefined, after: string | null | undefined): Html {
  const percent = measureMove(before, after)
  if (percent === null || percent === 0) return nothing
  return html`<span class="${percent > 0 ? 'up' : 'down'}">${formatPercent(percent)}</span>`
}
