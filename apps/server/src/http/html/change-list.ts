import {
  capitalize,
  dropDust,
  formatAmount,
  formatMove,
  isAmountField,
  measureMove,
  nameField,
} from '@ratecard/contract/wording'
import type { Catalogue } from '../../catalog/catalogue.ts'
import { listMoves } from '../../features/changes/change-moves.ts'
import type { StoredChange } from '../../features/changes/change-store.ts'
import { toDay } from '../../platform/day.ts'
import { html, nothing, type Html } from './html.ts'
import { changePath, day, vendorLink } from './words.ts'

const movesShown = 3

/** Changes as a summary shows them, which everybody may read. The catalogue knows in which currency. */
export function changeList(changes: readonly StoredChange[], catalogue: Catalogue | null): Html {
  return html`<ul class="list">
    ${changes.map(
      (change) =>
        html`<li>
          <div class="meta">
            ${kindBadge(change)} ${vendorLink(change.vendor)}
            <span>${whenText(change)}</span>
            ${change.verified ? html`<span>confirmed</span>` : nothing}
          </div>
          <a href="${changePath(change.id)}">${change.title}</a>
          ${change.title.includes(' → ') ? nothing : movesLine(change, catalogue)}
        </li>`,
    )}
  </ul>`
}

/** The same under headings by their days, the newest first. What is still to come stands before. */
export function changesByDay(
  changes: readonly StoredChange[],
  catalogue: Catalogue | null,
  formatHeading: (day: string) => string = formatMonth,
): Html {
  const today = toDay(new Date())
  const sorted = changes.toSorted((a, b) => (pickDay(a) < pickDay(b) ? 1 : -1))
  const groups = Map.groupBy(sorted, (change) => {
    const day = pickDay(change)
    return day > today ? 'Announced' : formatHeading(day)
  })
  return html`${[...groups].map(
    ([heading, under]) =>
      html`<h2>${heading}</h2>
        ${changeList(under, catalogue)}`,
  )}`
}

const months = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const formatMonth = (day: string): string => months.format(new Date(day))

const pickDay = ({ effective_time, first_seen }: StoredChange): string =>
  (effective_time ?? first_seen).slice(0, 10)

/** What kind it is, for prices with their largest move, by an arrow and a sign. That of cached input is not the price's. */
export function kindBadge(change: StoredChange): Html {
  const { category } = change
  if (change.status === 'withdrawn')
    return html`<span class="badge">${capitalize(category)}, called off</span>`
  const isCut = category === 'price_cut'
  const isBad = ['price_rise', 'model_removed', 'deprecation'].includes(category)
  const sizes =
    isCut || category === 'price_rise'
      ? amountMoves(change).filter(
          ({ field, percent }) => field !== 'cached_input_per_mtok' && (isCut ? percent < 0 : percent > 0),
        )
      : []
  const [largest] = sizes.toSorted((a, b) => Math.abs(b.percent) - Math.abs(a.percent))
  const size = largest && formatMove(largest.before, largest.after)
  return html`<span class="badge ${isCut ? 'good' : isBad ? 'bad' : ''}"
    >${(isCut || category === 'price_rise') && html`<span aria-hidden="true">${isCut ? '▼' : '▲'}</span> `}${capitalize(category)}${size && ` ${size}`}</span
  >`
}

/** The amounts that moved, as figures; nothing, where none did. */
function movesLine(change: StoredChange, catalogue: Catalogue | null): Html {
  if (change.status === 'withdrawn') return nothing
  const shown = amountMoves(change).slice(0, movesShown)
  if (shown.length === 0) return nothing
  return html`<p>
    ${shown.map(({ resource_id: id, name, before, after, percent }, index) => {
      const row = catalogue?.records.get(id)?.rows.find(({ resource_id }) => resource_id === id)
      return html`${index > 0 && ' · '}${name} ${movedAmount(before, row?.currency)} →
        <span class="${percent < 0 ? 'down' : 'up'}"
          >${movedAmount(after, row?.currency)} (${formatMove(before, after)})</span
        >`
    })}
  </p>`
}

/** @param currency undefined: the record is not served, so nobody knows it */
export function movedAmount(amount: string, currency: string | null | undefined): string {
  return currency === undefined ? dropDust(amount) : formatAmount(amount, currency)
}

/** Each step of an amount once. */
function amountMoves(change: StoredChange) {
  const steps = listMoves(change).flatMap(({ resource_id, field, before, after }) => {
    const percent = isAmountField(field) ? measureMove(before, after) : null
    return percent === null || percent === 0
      ? []
      : [{ resource_id, field, name: nameField(field), before: before!, after: after!, percent }]
  })
  return [...new Map(steps.map((step) => [`${step.name} ${step.before} ${step.after}`, step])).values()]
}

/** Since when it holds where that is known, and never when it was merely published. */
function whenText({ effective_time, first_seen }: StoredChange): Html {
  if (effective_time == null) return html`first seen ${day(first_seen)}`
  return html`${effective_time > toDay(new Date()) ? 'takes effect' : 'in effect since'}
  ${day(effective_time)}`
}
