import { nameAmount } from '@ratecard/contract/wording'
import type { CatalogueRow } from '../../catalog/catalogue.ts'
import type { StoredChange } from '../../features/changes/change-store.ts'
import { amountColumns } from '../../features/prices/price-record.ts'
import type { ProductDetails } from '../../catalog/product-store.ts'
import { historyChart, historyTable, listDatedMoves } from './chart.ts'
import { html, nothing, type Html } from './html.ts'
import { day } from './words.ts'

/** How the prices of some records moved. */
export function historySection(
  rows: readonly CatalogueRow[],
  { versions }: ProductDetails,
  changes: readonly StoredChange[],
): Html {
  const grouped = Map.groupBy(versions, ({ resource_id }) => resource_id)
  // The maker's own first.
  const byResource = new Map(rows.map(({ resource_id: id }) => [id, grouped.get(id) ?? []]))
  const columns = amountColumns.filter((column) => versions.some((state) => state[column] !== null))
  const nowMs = Math.max(...versions.map(({ known_from }) => Date.parse(known_from)))
  const moves = listDatedMoves(changes)
  const charts = (['input_per_mtok', 'output_per_mtok'] as const).map((column) =>
    historyChart(byResource, column, {
      title: `${nameAmount(column)}, US dollars per 1M tokens`,
      nowMs,
      moves,
    }),
  )
  if (versions.length === 0) return nothing
  const first = versions.reduce((least, { known_from }) => (known_from < least ? known_from : least), '9')
  const hasChart = charts.some((chart) => chart !== nothing)
  return html`<h2 id="history">History</h2>
    ${hasChart ? html`<div class="split">${charts}</div>` : html`<p class="soft">No token price changes since we began tracking on ${day(first)}.${changes.length > 0 && ' Published changes, older ones included, are listed below.'}</p>`}
    <details>
      <summary>Show as table</summary>
      ${historyTable(byResource, columns)}
    </details>`
}
