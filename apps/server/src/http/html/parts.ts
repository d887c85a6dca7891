import { formatCount, formatInstant } from '@ratecard/contract/wording'
import type { CatalogueRow } from '../../catalog/catalogue.ts'
import { companyName } from '@ratecard/contract/model-name'
import type { AmountColumn } from '../../catalog/price-record.ts'
import { html, nothing, type Html } from './html.ts'
import { amountHtml, retirementText } from './words.ts'

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
export function amountCell(row: CatalogueRow, column: AmountColumn, decimals: number, className = ''): Html {
  return html`<td class="num ${className}">
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

/** That nobody else states it, where nothing else on the row says so. */
export function oneSource({ is_confirmed }: Pick<CatalogueRow, 'is_confirmed'>): Html {
  return is_confirmed === false ? html` <span class="soft">one source</span>` : nothing
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
    toWord,
  }: { any: string; values: readonly string[]; chosen: string | null; toWord?: (value: string) => string },
): Html {
  return html`<label class="field"
    ><span>${label}</span>
    <select name="${name}">
      <option value="">${any}</option>
      ${values.map(
        (value) =>
          html`<option value="${value}" ${value === chosen && html` selected`}>
            ${(toWord ?? companyName)(value)}
          </option>`,
      )}
    </select></label
  >`
}
