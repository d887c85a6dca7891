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
import { rateKey } from '../../features/prices/rate-card.ts'
import { amountColumns } from '../../features/prices/price-record.ts'
import type { AnnouncedPrice, JudgedRate } from '../../catalog/product-store.ts'
import { html, nothing, type Html } from './html.ts'
import { cardTable } from './parts.ts'
import { amountHtml, day, platformLink } from './words.ts'

/** Cards that are open from the beginning: those of the records one came for. */
const openCards = 1

interface Card {
  row: CatalogueRow
  rates: readonly JudgedRate[]
}

/** Every rate that is stored, by record: long context, batch, cache, hours, regions. */
export function cardSection(
  rows: readonly CatalogueRow[],
  cards: ReadonlyMap<string, readonly JudgedRate[]>,
): Html {
  const withCards = rows.flatMap((row) => {
    const rates = cards.get(row.resource_id)
    return rates ? [{ row, rates: sortRates(rates) }] : []
  })
  if (withCards.length === 0) return nothing
  const equal = Map.groupBy(withCards, ({ row, rates }) =>
    JSON.stringify([row.currency, rates.map((rate) => [rateKey(rate), rate.amount, formatRatio(row, rate)])]),
  )
  return html`<h2 id="card">Full rate card</h2>
    <p class="soft">Rates for long prompts, batch, off-peak hours, regions and cache writes.</p>
    ${[...equal.values()].map((group, index) => renderCard(group, index < openCards))}`
}

/** The card of one record, or of several that have the same. */
function renderCard(group: readonly Card[], isOpen: boolean): Html {
  const [{ row, rates: ordered }, ...others] = group as [Card, ...Card[]]
  const decimals = countDecimals(ordered.map(({ amount }) => amount))
  const units = new Set(ordered.map((rate) => formatUnit(rate.unit)))
  const unit = units.size === 1 ? [...units].join('') : null
  const areJudged = ordered.some(({ said_by }) => said_by !== null)
  const nameOf = ({ row }: Card) =>
    html`${companyName(findPlatform(row))}${row.region !== null && `, ${row.region}`} <span class="id">${row.resource_id}</span>`
  return html`<details${isOpen && html` open`}>
    <summary>
      ${nameOf(group[0]!)} · ${formatCount(ordered.length, 'rate')}${others.length > 0 && `, the same on ${formatCount(others.length, 'more record')}`}
    </summary>
    ${others.length > 0 && html`<p class="soft">Also ${others.map((card, place) => html`${place > 0 && ', '}${nameOf(card)}`)}.</p>`}
    ${cardTable(
      `Rates of ${row.resource_id}`,
      html`<th scope="col">When</th>
        <th scope="col">What</th>
        <th scope="col" class="num">Amount${unit !== null && ` ${unit}`}</th>
        ${unit === null && html`<th scope="col">Unit</th>`}
        <th scope="col">vs. standard</th>
        ${areJudged && html`<th scope="col">Said by</th>`}`,
      ordered.map(
        (rate, place) =>
          html`<tr>
            <th scope="row">${formatCondition(rate)}</th>
            <td>${nameMeter(rate.meter)}</td>
            <td class="num">
              ${
                rate.unit === 'multiplier'
                  ? html`× ${rate.amount}<span class="frac f${decimals}"></span>`
                  : amountHtml(rate.amount, { currency: row.currency, decimals })
              }
            </td>
            ${unit === null && html`<td>${formatUnit(rate.unit)}</td>`}
            <td data-label="vs. standard">${formatRatio(row, rate)}</td>
            ${areJudged && html`<td class="soft" data-label="Said by">${witnesses(group.map(({ rates }) => rates[place]!), row.currency)}</td>`}
          </tr>`,
      ),
    )}
  </details>`
}

/** Who states a rate of one or several cards, and who states another amount. */
function witnesses(rates: readonly JudgedRate[], currency: string | null): Html {
  const said = new Set(rates.flatMap(({ said_by }) => said_by ?? []))
  const denied = rates.flatMap(({ unit, denied_by }) =>
    Object.entries(denied_by ?? {}).map(
      ([source, amount]) =>
        `${sourceName(source)} states ${unit === 'multiplier' ? `× ${amount}` : formatAmount(amount, currency)}`,
    ),
  )
  return html`${[...said].map(sourceName).join(', ') || '–'}${[...new Set(denied)].map((text) => html`<span class="why">${text}</span>`)}`
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
