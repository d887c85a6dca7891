import { formatCount, formatCurrency, formatNumber } from '@ratecard/contract/wording'
import { multiplyDecimals, roundDecimal } from '@ratecard/contract/decimal'
import type { Request } from 'express'
import { findPlatform, isRetired, type CatalogueRow } from '../../catalog/catalogue.ts'
import type { Rate } from '../../catalog/rate-card.ts'
import { compareTotals, estimate, type Estimate } from './generated/estimate.js'
import { html, nothing, type Html } from './html.ts'
import { buildQuery, readNumber, readText } from './inputs.ts'
import { oneSource } from './parts.ts'
import { amountHtml, platformLink } from './words.ts'

/** A month's use, in millions of tokens. */
export interface Use {
  input: number
  output: number
  /** How much of the input is read from a cache, in percent. */
  cached: number
  batch: boolean
  /** How many requests it is, all of one length; null: not known, and none is taken to be long. */
  requests: number | null
}

export const usualUse: Use = { input: 100, output: 20, cached: 0, batch: false, requests: null }
const mtokMax = 1_000_000_000
const requestsMax = 100_000_000_000

/** The use that a form states; null: it states none. */
export function readUse(req: Request): Use | null {
  const [input, output] = [readNumber(req, 'in', mtokMax), readNumber(req, 'out', mtokMax)]
  if (input === null && output === null) return null
  return {
    input: input ?? 0,
    output: output ?? 0,
    cached: readNumber(req, 'cached', 100) ?? 0,
    batch: readText(req, 'batch') === '1',
    requests: Math.round(readNumber(req, 'requests', requestsMax) ?? 0) || null,
  }
}

type PricedRow = Parameters<typeof estimate>[0]

/** What a month costs. The length of a request decides whether it pays the rates of long prompts, and each pays its fee. */
function estimateMonth(row: PricedRow, { input, output, cached, batch, requests }: Use): Estimate {
  const tokens = (millions: number) =>
    requests === null
      ? multiplyDecimals(String(millions), '1000000')
      : String(Number(((millions * 1_000_000) / requests).toFixed(6)))
  const part = estimate(row, {
    input: tokens(input),
    output: tokens(output),
    cached: String(cached),
    isBatch: batch,
    isOneRequest: requests !== null,
  })
  return requests === null || part.total === null
    ? part
    : { ...part, total: multiplyDecimals(part.total, String(requests)) }
}

const hasTokenPrice = (row: CatalogueRow) => row.input_per_mtok !== null || row.output_per_mtok !== null

/** Whether there is anything to calculate: one can buy it, by the token. */
export function isPricedByToken(rows: readonly CatalogueRow[]): boolean {
  return rows.some((row) => hasTokenPrice(row) && !isRetired(row))
}

/** The model that is calculated with, where its page does not say it. */
export function modelField(model: string): Html {
  return html`<label class="field grow"
    ><span>Model</span>
    <input
      type="search"
      name="model"
      value="${model}"
      maxlength="200"
      placeholder="gpt-4o, claude sonnet 4.5"
      autocomplete="off"
      spellcheck="false"
  /></label>`
}

export function useQuery(use: Use | null): URLSearchParams {
  if (use === null) return new URLSearchParams()
  const { input, output, cached, batch, requests } = use
  return buildQuery({ in: input, out: output, cached, batch: batch && 1, requests })
}

/** A form that works without the script; with it the table follows what is typed. */
export function calculator(
  rows: readonly CatalogueRow[],
  cards: ReadonlyMap<string, readonly Rate[]>,
  use: Use,
  { path, model }: { path: string; model?: string },
): Html {
  if (!isPricedByToken(rows)) return nothing
  const priced = rows.filter((row) => hasTokenPrice(row) && !isRetired(row))
  const field = (name: string, label: string, value: number | null, max: number) =>
    html`<label class="field"
      ><span>${label}</span>
      <input
        name="${name}"
        type="number"
        min="0"
        max="${max}"
        step="any"
        value="${value ?? ''}"
        inputmode="decimal"
    /></label>`
  const costs = priced
    .map((row) => ({ ...row, rates: cards.get(row.resource_id) ?? [] }))
    .map((row) => ({ row, month: estimateMonth(row, use), rates: ratesFor(row) }))
    // What is free has limits that nobody could run a month on.
    .sort(
      (a, b) =>
        Number(isFree(a.month)) - Number(isFree(b.month)) || compareTotals(a.month.total, b.month.total),
    )
  // What costs the same whatever is typed shares a row.
  const equal = Map.groupBy(costs, ({ row, month, rates }) =>
    JSON.stringify([rates, month, row.currency, row.is_confirmed]),
  )
  return html`<h2 id="cost">Monthly cost</h2>
    <form class="search" action="${path}#cost" method="get" data-calculator>
      ${model !== undefined && modelField(model)} ${field('in', 'Input, million tokens', use.input, mtokMax)}
      ${field('out', 'Output, million tokens', use.output, mtokMax)}
      ${field('cached', 'Cached input (%)', use.cached, 100)}
      ${field('requests', 'Requests, if known', use.requests, requestsMax)}
      <label class="field"
        ><span>Batch prices</span>
        <span><input name="batch" type="checkbox" value="1" ${use.batch && html` checked`} /></span
      ></label>
      <button class="btn plain" type="submit">Calculate</button>
    </form>
    <div class="wide tall" role="region" aria-label="Costs by platform" tabindex="0">
      <table data-costs>
        <thead>
          <tr>
            <th scope="col">Platform</th>
            <th scope="col" class="num">A month</th>
          </tr>
        </thead>
        <tbody>
          ${[...equal.values()].map(costRow)}
        </tbody>
      </table>
    </div>
    <p class="note">
      ${use.requests === null ? 'Standard rates. Enter the number of requests to include long prompts and request fees.' : `For ${formatNumber(use.requests)} requests of equal length, request fees included.`}
      Without cache writes. “–” means a rate is unknown. “By the hour”: the price depends on the time of day;
      see the rate card.
    </p>`
}

const isFree = ({ total }: Estimate) => total !== null && Number(total) === 0

/** The rates of a million tokens are for the script, which multiplies them by what is typed. */
function ratesFor(row: PricedRow) {
  const estimateRate = (share: Partial<Use>) => {
    const one = estimateMonth(row, { input: 0, output: 0, cached: 0, batch: false, requests: null, ...share })
    return one.total ?? reasonText(one)
  }
  return {
    ...{
      input: estimateRate({ input: 1 }),
      output: estimateRate({ output: 1 }),
      cached: estimateRate({ input: 1, cached: 100 }),
    },
    'batch-input': estimateRate({ input: 1, batch: true }),
    'batch-output': estimateRate({ output: 1, batch: true }),
    'batch-cached': estimateRate({ input: 1, cached: 100, batch: true }),
  }
}

interface Cost {
  row: PricedRow & Pick<CatalogueRow, 'platform' | 'currency' | 'is_confirmed'>
  month: Estimate
  rates: ReturnType<typeof ratesFor>
}

function costRow(equal: readonly Cost[]): Html {
  const [{ row, month, rates }] = equal as [Cost]
  const platforms = [...new Set(equal.map(({ row }) => findPlatform(row)))]
  const fee = month.fee === null ? '' : ` + ${formatCurrency(row.currency)}${month.fee} a request`
  return html`<tr
    data-currency="${formatCurrency(row.currency)}"
    ${Object.entries(rates).map(([name, rate]) => html`data-${name}="${rate}" `)}
  >
    <th scope="row">
      ${platforms.map((platform, place) => html`${place > 0 && ', '}${platformLink(platform)}`)}${oneSource(row)}
      <span class="id"
        >${equal.length > 1 ? formatCount(equal.length, 'record') : row.resource_id}${fee}</span
      >
    </th>
    <td class="num" data-cost>
      ${month.isLong && html`<span class="badge">long prompts</span> `}${
        month.total === null && reasonText(month) !== ''
          ? reasonText(month)
          : amountHtml(month.total && roundDecimal(month.total, 2), { currency: row.currency, decimals: 2 })
      }
    </td>
  </tr>`
}

/** Why there is no cost, where it is not that a price is unknown. */
function reasonText({ unpriced }: Estimate): string {
  return unpriced.some(({ reason }) => reason === 'time_needed') ? 'by the hour' : ''
}
