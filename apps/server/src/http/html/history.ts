import { nameAmount } from '@ratecard/contract/wording'
import type { CatalogueRow } from '../../catalog/catalogue.ts'
import type { StoredChange } from '../../features/changes/change-store.ts'
import { amountColumns } from '../../catalog/price-record.ts'
import type { ProductDetails, SourceClaim } from '../../catalog/product-store.ts'
import { historyChart, historyTable, listDatedMoves } from './chart.ts'
import { html, nothing, type Html } from './html.ts'
import { day } from './words.ts'

/** How the prices of some records moved. */
export function historySection(
  rows: readonly CatalogueRow[],
  { versions, claims }: ProductDetails,
  changes: readonly StoredChange[],
): Html {
  const states = Map.groupBy(versions, ({ resource_id }) => resource_id)
  const moves = Map.groupBy(listDatedMoves(changes), ({ resource_id }) => resource_id)
  const said = Map.groupBy(claims, ({ resource_id }) => resource_id)
  const nowMs = Math.max(...versions.map(({ known_from }) => Date.parse(known_from)))
  // The maker's own first.
  const records = rows.map(({ resource_id: id }) => ({
    states: states.get(id) ?? [],
    moves: moves.get(id) ?? [],
    endsMs: lastSeenMs(said.get(id) ?? []) ?? nowMs,
  }))
  const columns = amountColumns.filter((column) => versions.some((state) => state[column] !== null))
  const charts = (['input_per_mtok', 'output_per_mtok'] as const).map((column) =>
    historyChart(records, column, `${nameAmount(column)}, US dollars per 1M tokens`),
  )
  if (versions.length === 0) return nothing
  const first = versions.reduce((least, { known_from }) => (known_from < least ? known_from : least), '9')
  // What has never moved stands with its day among the platforms.
  const moved = records.flatMap(({ states }) => {
    const steps = states.filter((state, place) =>
      columns.some((column) => state[column] !== states[place + 1]?.[column]),
    )
    return steps.length > 1 ? steps : []
  })
  const hasChart = charts.some((chart) => chart !== nothing)
  return html`<h2 id="history">History</h2>
    ${
      hasChart
        ? html`<div class="split">${charts}</div>
            <p class="note">Dashed: as sources and published changes date it, before we first saw it.</p>`
        : html`<p class="soft">No token price changes since we began tracking on ${day(first)}.</p>`
    }
    ${
      moved.length > 0 &&
      html`<details>
        <summary>Show as table</summary>
        ${historyTable(moved, columns)}
      </details>`
    }`
}

/** When a list that states a price was read last, or ceased to state it. Null: no list is known to. */
function lastSeenMs(claims: readonly SourceClaim[]): number | null {
  const seen = claims.flatMap(({ gone_since, read_at }) => gone_since ?? read_at ?? [])
  return seen.length === 0 ? null : Math.max(...seen.map(Date.parse))
}
