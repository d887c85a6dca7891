import {
  capitalize,
  countDecimals,
  formatCount,
  formatInstant,
  formatOtherAmounts,
  nameModality,
} from '@ratecard/contract/wording'
import { findPlatform, formatToday, type CatalogueRow, type Model } from '../../features/prices/catalogue.ts'
import { companyName } from '@ratecard/contract/model-name'
import type { AmountColumn } from '../../features/prices/price-record.ts'
import type { StoredChange } from '../../features/changes/change-store.ts'
import { html, nothing, type Html } from './html.ts'
import { amountHtml, changePath, day, modelPath, platformLink, retirementText, vendorLink } from './words.ts'

// What several pages show.

/**
 * A table that scrolls by itself where it is wider than the page.
 * @param layout on a narrow screen: rows become `cards`, or a `lean` table leaves out its cells of class `opt`
 */
export function cardTable(label: string, head: Html, rows: readonly Html[], layout = 'cards'): Html {
  return html`<div class="wide" role="region" aria-label="${label}" tabindex="0">
    <table class="${layout}">
      <thead>
        <tr>
          ${head}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`
}

/** A token amount in a cell of its own. */
export function amountCell(
  row: CatalogueRow,
  column: AmountColumn,
  decimals: number,
  label: string,
  className = '',
): Html {
  return html`<td class="num ${className}" data-label="${label}">
    ${amountHtml(row[column], { currency: row.currency, decimals })}
  </td>`
}

/** That a headline is not the whole price. */
export function rateMarks(row: CatalogueRow): Html {
  return html`${row.rates > 0 && html` <span class="badge">+ ${formatCount(row.rates, 'rate')}</span>`}${
    row.starts_on !== null && html` <span class="badge warn">changes on ${row.starts_on}</span>`
  }${endMarks(row)}`
}

/** That it ends, or has ended. */
export function endMarks(row: CatalogueRow): Html {
  const retirement = retirementText(row)
  return html`${retirement !== null && html` <span class="badge bad">${retirement}</span>`}${
    row.gone_since !== null && html` <span class="badge bad">no longer listed</span>`
  }`
}

/** Models with the prices of the record that stands for each. */
export function modelTable(models: readonly Model[], label: string): Html {
  const decimals = (column: AmountColumn) => countDecimals(models.map(({ headline }) => headline[column]))
  const [input, output] = [decimals('input_per_mtok'), decimals('output_per_mtok')]
  const others = models.map(({ headline }) => formatOtherAmounts(headline))
  const hasOthers = others.some((text) => text !== '')
  return cardTable(
    label,
    html`<th scope="col">Model</th>
      <th scope="col" class="opt">Maker</th>
      <th scope="col" class="opt">Kind</th>
      <th scope="col" class="num">Input</th>
      <th scope="col" class="num">Output</th>
      ${hasOthers && html`<th scope="col" class="opt">Other prices</th>`}
      <th scope="col" class="opt">Platforms</th>`,
    models.map((model, index) => {
      const { headline } = model
      const elsewhere = model.platforms.length - 1
      return html`<tr>
        <th scope="row">
          <a href="${modelPath(model)}">${model.name}</a> ${rateMarks(headline)}
          <span class="id">${model.id}</span>
          ${others[index] !== '' && html`<span class="narrow">${others[index]}</span>`}
        </th>
        <td class="opt">${vendorLink(model.vendor)}</td>
        <td class="opt">${nameModality(model.modality)}</td>
        ${amountCell(headline, 'input_per_mtok', input, 'Input')}
        ${amountCell(headline, 'output_per_mtok', output, 'Output')}
        ${hasOthers && html`<td class="opt">${others[index]}</td>`}
        <td class="opt">${platformLink(findPlatform(headline))}${elsewhere > 0 && ` + ${elsewhere}`}</td>
      </tr>`
    }),
    'lean',
  )
}

/** Changes as a summary shows them, which everybody may read. */
export function changeList(changes: readonly StoredChange[]): Html {
  return html`<ul class="list">
    ${changes.map(
      (change) =>
        html`<li>
          <div class="meta">
            <span class="badge ${chooseTone(change.category)}">${capitalize(change.category)}</span>
            ${vendorLink(change.vendor)}
            <span>${whenText(change)}</span>
            ${change.verified ? html`<span>confirmed</span>` : nothing}
          </div>
          <a href="${changePath(change.id)}">${change.title}</a>
        </li>`,
    )}
  </ul>`
}

function chooseTone(category: string): string {
  if (category === 'price_cut') return 'good'
  return ['price_rise', 'model_removed', 'deprecation'].includes(category) ? 'bad' : ''
}

/** Since when it holds where that is known, and never when it was merely published. */
function whenText({ effective_time, first_seen }: StoredChange): Html {
  if (effective_time == null) return html`first seen ${day(first_seen)}`
  return html`${effective_time > formatToday() ? 'takes effect' : 'in effect since'} ${day(effective_time)}`
}

export function instant(text: string): Html {
  return html`<time datetime="${text}">${formatInstant(text)}</time>`
}

/** Links to the pages before and after, with the other parameters as they are. */
export function pageLinks(path: string, params: URLSearchParams, page: number, pageCount: number): Html {
  if (pageCount <= 1) return nothing
  const link = (to: number, text: string, rel: string) => {
    const query = new URLSearchParams(params)
    if (to > 1) query.set('page', String(to))
    else query.delete('page')
    const search = query.toString()
    return html`<a rel="${rel}" href="${path}${search === '' ? '' : `?${search}`}">${text}</a>`
  }
  return html`<nav class="pages" aria-label="Pages">
    <span>${page > 1 && link(page - 1, '← Previous', 'prev')}</span>
    <span class="soft">Page ${page} of ${pageCount}</span>
    <span>${page < pageCount && link(page + 1, 'Next →', 'next')}</span>
  </nav>`
}

/** A choice of one value or any. */
export function choice(
  name: string,
  label: string,
  {
    any,
    values,
    chosen,
    wordOf,
  }: { any: string; values: readonly string[]; chosen: string | null; wordOf?: (value: string) => string },
): Html {
  return html`<label class="field"
    ><span>${label}</span>
    <select name="${name}">
      <option value="">${any}</option>
      ${values.map(
        (value) =>
          html`<option value="${value}" ${value === chosen && html` selected`}>
            ${(wordOf ?? companyName)(value)}
          </option>`,
      )}
    </select></label
  >`
}
