import { capitalize, formatMove, formatPercent, isAmountField, nameField } from '@ratecard/contract/wording'
import { companyName } from '@ratecard/contract/model-name'
import { listMoves } from '../../features/changes/change-moves.ts'
import type { StoredChange } from '../../features/changes/change-store.ts'
import { movedAmount } from './change-list.ts'
import { html, nothing, type Html } from './html.ts'
import { cardTable } from './parts.ts'
import { buildQuery, withQuery } from './inputs.ts'
import { modelPath } from './words.ts'

// What a paid plan shows of a change beyond its public page.

/** As many as a page can show. */
const movesMax = 200

/** @param currencies of the records that are served, by their ids: a change does not have them, and they do not move */
export function changeDetails(change: StoredChange, currencies: ReadonlyMap<string, string | null>): Html {
  const { migration_deadline: deadline } = change
  return html`${deadline && html`<p class="panel">Move until <strong>${deadline.slice(0, 10)}</strong>.</p>`}
  ${movesTable(change, currencies)} ${impact(change)} ${alternatives(change)}`
}

function movesTable(change: StoredChange, currencies: ReadonlyMap<string, string | null>): Html {
  const moves = listMoves(change)
  if (moves.length === 0) return nothing
  const text = (id: string, field: string, value: string | null) => {
    if (value === null) return '–'
    return movedAmount(value, isAmountField(field) ? currencies.get(id) : undefined)
  }
  return html`<h2>Before and after</h2>
    ${cardTable(
      'Before and after',
      html`<th scope="col">Record</th>
        <th scope="col">Value</th>
        <th scope="col" class="num">Before</th>
        <th scope="col" class="num">After</th>
        <th scope="col" class="num">Difference</th>`,
      moves.slice(0, movesMax).map(
        ({ resource_id: id, field, before, after }) =>
          html`<tr>
            <th scope="row"><a class="id" href="${modelPath({ id, isProduct: false })}">${id}</a></th>
            <td data-label="Value">${nameField(field)}</td>
            <td class="num" data-label="Before">${text(id, field, before)}</td>
            <td class="num" data-label="After">${text(id, field, after)}</td>
            <td class="num" data-label="Difference">${formatMove(before, after) ?? ''}</td>
          </tr>`,
      ),
    )}
    ${moves.length > movesMax && html`<p class="note">And ${moves.length - movesMax} more.</p>`}`
}

function impact(change: StoredChange): Html {
  const parts = ['cost', 'reliability', 'migration', 'quality', 'compliance'] as const
  const scores = [
    ['overall', change.impact_score],
    ...parts.map((part) => [part, change[`impact_${part}`]]),
  ] as const
  return html`<h2>Impact</h2>
    <dl class="facts">
      ${scores.map(
        ([name, score]) =>
          score != null &&
          html`<dt>${capitalize(String(name))}</dt>
            <dd>${score} of 100</dd>`,
      )}
    </dl>
    ${change.impact_notes && html`<p>${change.impact_notes}</p>`}`
}

function alternatives({ alternatives: all }: StoredChange): Html {
  if (all.length === 0) return nothing
  return html`<h2>Alternatives</h2>
    ${cardTable(
      'Alternatives',
      html`<th scope="col">Alternative</th>
        <th scope="col">Maker</th>
        <th scope="col" class="num">Cost</th>
        <th scope="col">Work to move</th>
        <th scope="col">Quality and notes</th>`,
      all.map(
        (each) =>
          html`<tr>
            <th scope="row">
              <a href="${withQuery('/models', buildQuery({ q: each.product_id }))}">${each.product_name}</a>
            </th>
            <td data-label="Maker">${companyName(each.vendor)}</td>
            <td class="num" data-label="Cost">
              ${each.cost_diff_pct == null ? 'unknown' : formatPercent(each.cost_diff_pct)}
            </td>
            <td data-label="Work to move">${each.migration_effort}</td>
            <td data-label="Quality and notes">
              ${[each.quality_comparison, each.notes].filter(Boolean).join(' ')}
            </td>
          </tr>`,
      ),
    )}`
}
