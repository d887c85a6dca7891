import { compareCosts, costOf, tokenRates } from '@ratecard/contract/cost'
import { roundDecimal } from '@ratecard/contract/decimal'
import type { Request } from 'express'
import { platformOf, type CatalogueRow } from '../../features/prices/catalogue.ts'
import type { Rate } from '../../features/prices/rate-card.ts'
import { html, nothing, type Html } from './html.ts'
import { numberOf, textOf } from './inputs.ts'
import { amountHtml, currencySign, platformLink } from './words.ts'

/** A month's use, in millions of tokens. */
export interface Use {
  input: number
  output: number
  /** How much of the input is read from a cache, in percent. */
  cached: number
  batch: boolean
}

export const usualUse: Use = { input: 100, output: 20, cached: 0, batch: false }
const mtokMax = 1_000_000_000

/** The use that a form states; null: it states none. */
export function useOf(req: Request): Use | null {
  const [input, output] = [numberOf(req, 'in', mtokMax), numberOf(req, 'out', mtokMax)]
  if (input === null && output === null) return null
  return {
    input: input ?? 0,
    output: output ?? 0,
    cached: numberOf(req, 'cached', 100) ?? 0,
    batch: textOf(req, 'batch') === '1',
  }
}

/** What a month costs; null: a rate that it needs is not known. */
function monthOf(
  row: CatalogueRow,
  card: readonly Rate[],
  { input, output, cached, batch }: Use,
): string | null {
  return costOf(tokenRates(row, card, { isBatch: batch }), {
    input: String(input),
    output: String(output),
    cached: String(cached),
  })
}

/** A form that works without the script; with it the table follows what is typed. */
export function calculator(
  rows: readonly CatalogueRow[],
  cards: ReadonlyMap<string, readonly Rate[]>,
  use: Use,
  path: string,
): Html {
  const priced = rows.filter((row) => row.input_per_mtok !== null || row.output_per_mtok !== null)
  if (priced.length === 0) return nothing
  const field = (name: string, label: string, value: number, max: number) =>
    html`<label class="field"
      ><span>${label}</span>
      <input
        name="${name}"
        type="number"
        min="0"
        max="${max}"
        step="any"
        value="${value}"
        inputmode="decimal"
    /></label>`
  const costs = priced
    .map((row) => ({ row, cost: monthOf(row, cards.get(row.resource_id) ?? [], use) }))
    .sort((a, b) => compareCosts(a.cost, b.cost))
  return html`<h2 id="cost">What a month costs</h2>
    <form class="search" action="${path}#cost" method="get" data-calculator>
      ${field('in', 'Input, million tokens', use.input, mtokMax)}
      ${field('out', 'Output, million tokens', use.output, mtokMax)}
      ${field('cached', 'Of the input cached, %', use.cached, 100)}
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
          ${costs.map(({ row, cost }) => costRow(row, cards.get(row.resource_id) ?? [], cost))}
        </tbody>
      </table>
    </div>
    <p class="note">
      At standard prices without long context, hours and writes to a cache. “–”: a price that it needs is not
      known on this platform.
    </p>`
}

function costRow(row: CatalogueRow, card: readonly Rate[], cost: string | null): Html {
  const [standard, batch] = [
    tokenRates(row, card, { isBatch: false }),
    tokenRates(row, card, { isBatch: true }),
  ]
  return html`<tr
    data-currency="${currencySign(row.currency)}"
    data-input="${standard.input ?? ''}"
    data-output="${standard.output ?? ''}"
    data-cached="${standard.cached ?? ''}"
    data-batch-input="${batch.input ?? ''}"
    data-batch-output="${batch.output ?? ''}"
    data-batch-cached="${batch.cached ?? ''}"
  >
    <th scope="row">${platformLink(platformOf(row))} <span class="id">${row.resource_id}</span></th>
    <td class="num" data-cost>
      ${amountHtml(cost === null ? null : roundDecimal(cost, 2), { currency: row.currency, decimals: 2 })}
    </td>
  </tr>`
}
