import {
  formatAmount,
  formatCount,
  formatInstant,
  formatOtherAmounts,
  nameModality,
} from '@ratecard/contract/wording'
import { blendedUsd, findPlatform, type CatalogueRow, type Model } from '../../features/prices/catalogue.ts'
import { companyName } from '@ratecard/contract/model-name'
import type { AmountColumn } from '../../features/prices/price-record.ts'
import { html, nothing, type Html, type Part } from './html.ts'
import { amountHtml, countShown, modelPath, platformLink, retirementText, vendorLink } from './words.ts'

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

/** By what a list of models may be sorted, and the name of the column. */
export const modelColumns = {
  model: 'Model',
  input: 'Input',
  output: 'Output',
  cached: 'Cached input',
  blended: 'Blended',
  platforms: 'Platforms',
} as const
export type ModelColumn = keyof typeof modelColumns

const tokenColumns = [
  ['input', 'input_per_mtok'],
  ['output', 'output_per_mtok'],
  ['cached', 'cached_input_per_mtok'],
] as const satisfies readonly (readonly [ModelColumn, AmountColumn])[]

/**
 * Models with the prices of the record that stands for each.
 * @param headOf the head of a column that one can sort by
 */
export function modelTable(
  models: readonly Model[],
  label: string,
  headOf: (column: ModelColumn) => Part = (column) => modelColumns[column],
): Html {
  const decimals = tokenColumns.map(([, column]) =>
    countShown(models.map(({ headline }) => headline[column])),
  )
  const blends = models.map(({ headline }) => blendedText(headline))
  const head = (column: ModelColumn, className = '') =>
    html`<th scope="col" class="${className}">${headOf(column)}</th>`
  return cardTable(
    label,
    html`${head('model')}
      <th scope="col" class="opt">Maker</th>
      ${head('input', 'num')} ${head('output', 'num')} ${head('cached', 'num opt')}
      ${head('blended', 'num opt')} ${head('platforms', 'opt')}`,
    models.map((model, index) => {
      const { headline } = model
      const others = formatOtherAmounts(headline)
      const byToken = headline.input_per_mtok !== null || headline.output_per_mtok !== null || others === ''
      return html`<tr>
        <th scope="row">
          ${confidenceDot(headline)}<a href="${modelPath(model)}" title="${model.id}">${model.name}</a>
          ${model.modality !== 'llm' && html` <span class="badge">${nameModality(model.modality)}</span>`}
          ${model.others.length > 1 && html` <span class="badge">median</span>`}${model.variants.length > 0 && html` <span class="badge">+ ${formatCount(model.variants.length, 'variant')}</span>`}${rateMarks(headline)}
        </th>
        <td class="opt">${vendorLink(model.vendor)}</td>
        ${
          byToken
            ? html`${tokenColumns.map(([name, column], place) => amountCell(headline, column, decimals[place]!, modelColumns[name], name === 'cached' ? 'opt' : ''))}
                <td class="num opt">${blends[index]}</td>`
            : html`<td class="num" colspan="2">${others}</td>
                <td class="opt" colspan="2"></td>`
        }
        <td class="opt">${soldText(model)}</td>
      </tr>`
    }),
    'lean dense',
  )
}

/** That a second source confirms it, or that none does. */
function confidenceDot({ is_confirmed }: CatalogueRow): Html {
  if (is_confirmed === null) return html`<span class="dot"></span>`
  const text = is_confirmed ? 'confirmed by a second source' : 'one source'
  return html`<span
    class="dot ${is_confirmed ? 'good' : 'one'}"
    role="img"
    aria-label="${text}"
    title="${text}"
  ></span>`
}

function blendedText(row: CatalogueRow): string {
  const usd = blendedUsd(row)
  return usd === null ? '–' : formatAmount(String(Number(usd.toPrecision(3))), 'USD')
}

/** Where it is sold, and for how little where that is another place than the one whose price is shown. */
function soldText({ headline, platforms, others }: Model): Html {
  if (others.length < 2) {
    const more = platforms.length - 1
    return html`${platformLink(findPlatform(headline))}${more > 0 && ` + ${more}`}`
  }
  return html`${formatCount(platforms.length, 'platform')}, from ${blendedText(others[0]!)}`
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
