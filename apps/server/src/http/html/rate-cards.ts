import {
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
import { rateKey } from '../../catalog/rate-card.ts'
import { amountColumns } from '../../catalog/price-record.ts'
import type { AnnouncedPrice, JudgedRate } from '../../catalog/product-store.ts'
import { html, nothing, type Html } from './html.ts'
import { cardTable } from './parts.ts'
import { day, platformLink } from './words.ts'

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
    <p class="soft">
      Rates for long prompts, batch, off-peak hours, regions and cache writes, per million tokens unless
      stated otherwise; “× 0.5” is half the standard rate.
    </p>
    ${[...equal.values()].map((group, index) => renderCard(group, index < openCards))}`
}

/** The card of one record, or of several that have the same: a row for each condition, a column for each meter. */
function renderCard(group: readonly Card[], isOpen: boolean): Html {
  const [{ row, rates }, ...others] = group as [Card, ...Card[]]
  const meters = [...new Set(rates.map(formatMeter))].sort((a, b) => rankMeter(a) - rankMeter(b))
  const placed = rates.map((rate, place) => ({ rate, said: group.map((card) => card.rates[place]!) }))
  const areJudged = rates.some(({ said_by }) => said_by !== null)
  const lines = [...Map.groupBy(placed, ({ rate }) => formatCondition(rate)).values()].map((here) => ({
    rate: here[0]!.rate,
    cells: html`${meters.map((meter) =>
      rateCell(
        row,
        meter,
        here.map(({ rate }) => rate).filter((rate) => formatMeter(rate) === meter),
      ),
    )}
    ${
      areJudged &&
      html`<td class="soft" data-label="Said by">
        ${witnesses(
          here.flatMap(({ said }) => said),
          row.currency,
        )}
      </td>`
    }`,
  }))
  // Regions and other variants of one price share a row.
  const alike = Map.groupBy(
    lines,
    ({ rate, cells }) =>
      `${rate.variant === null} ${formatCondition({ ...rate, variant: null })} ${cells.text}`,
  )
  return html`<details${isOpen && html` open`}>
    <summary>
      ${recordName(row)} ·
      ${formatCount(rates.length, 'rate')}${others.length > 0 && `, the same on ${formatCount(others.length, 'more record')}`}
    </summary>
    ${others.length > 0 && html`<p class="soft">Also ${others.map((card, place) => html`${place > 0 && ', '}${recordName(card.row)}`)}.</p>`}
    ${cardTable(
      `Rates of ${row.resource_id}`,
      html`<th scope="col">When</th>
        ${meters.map((meter) => html`<th scope="col" class="num">${meter}</th>`)}
        ${areJudged && html`<th scope="col">Said by</th>`}`,
      [...alike.values()].map(
        ([first, ...more]) =>
          html`<tr>
            <th scope="row">
              ${[formatCondition(first!.rate), ...more.map(({ rate }) => formatCondition({ ...anytime, variant: rate.variant }))].join(', ')}
            </th>
            ${first!.cells}
          </tr>`,
      ),
    )}
  </details>`
}

const anytime = { service_tier: null, threshold: null, hours: null }

/** "Input", "Searches, per query" */
function formatMeter({ meter, unit }: JudgedRate): string {
  const isUsual = unit === '1m_tokens' || unit === 'multiplier'
  return `${nameMeter(meter)}${isUsual ? '' : `, ${formatUnit(unit)}`}`
}

const usualMeters = ['Input', 'Output', 'Cached input', 'Cache write']
const rankMeter = (meter: string): number => usualMeters.indexOf(meter) + 1 || usualMeters.length + 1

const recordName = (row: CatalogueRow): Html =>
  html`${companyName(findPlatform(row))}${row.region !== null && `, ${row.region}`}
    <span class="id">${row.resource_id}</span>`

/** An amount, with how many times the standard one it is. An empty cell has no line on a narrow screen. */
function rateCell(row: CatalogueRow, meter: string, rates: readonly JudgedRate[]): Html {
  if (rates.length === 0) return html`<td></td>`
  const text = (rate: JudgedRate) =>
    html`<span class="soft">${formatRatio(row, rate)}</span> ${statedText(rate, rate.amount, row.currency)}`
  return html`<td class="num" data-label="${meter}">
    ${rates.map((rate, place) => html`${place > 0 && html`<br />`}${text(rate)}`)}
  </td>`
}

const statedText = ({ unit }: JudgedRate, amount: string, currency: string | null): string =>
  unit === 'multiplier' ? `× ${amount}` : formatAmount(amount, currency)

/** Who states some rates, and who states another amount of one. */
function witnesses(rates: readonly JudgedRate[], currency: string | null): Html {
  const said = new Set(rates.flatMap(({ said_by }) => said_by ?? []))
  const denied = rates.flatMap((rate) =>
    Object.entries(rate.denied_by ?? {}).map(
      ([source, amount]) =>
        `${sourceName(source)} states ${statedText(rate, amount, currency)} for ${nameMeter(rate.meter).toLowerCase()}`,
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
