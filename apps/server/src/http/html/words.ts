import { companyName } from '@ratecard/contract/model-name'
import {
  countDecimals,
  dropDust,
  formatAmount,
  formatCurrency,
  formatDigits,
  formatOtherAmounts,
  formatRetirement,
} from '@ratecard/contract/wording'
import type { CatalogueRow } from '../../catalog/catalogue.ts'
import type { DecimalText } from '../../catalog/price-record.ts'
import { webAddress } from '../../platform/web-address.ts'
import { html, type Html } from './html.ts'

// Amounts, days and links as HTML.

/** `countDecimals` of a column of `amountHtml`. */
export function countShown(column: readonly (DecimalText | null)[]): number {
  return countDecimals(column.map((amount) => amount && dropDust(amount)))
}

/** An amount for a column whose amounts stand below each other by their decimal points. */
export function amountHtml(
  amount: DecimalText | null | undefined,
  { currency, decimals }: { currency: string | null; decimals: number },
): Html {
  const box = (part: string) => html`<span class="frac f${decimals}">${part}</span>`
  if (amount === null || amount === undefined) {
    return html`<span aria-hidden="true">–</span><span class="vh">unknown</span>${box('')}`
  }
  if (Number(amount) === 0) return html`free${box('')}`
  const shown = dropDust(amount)
  const [whole = '', part = ''] = formatDigits(shown).split('.')
  const text = html`${formatCurrency(currency)}${whole}${box(`.${part}`)}`
  return shown === amount ? text : html`<span title="${formatCurrency(currency)}${amount}">${text}</span>`
}

/** "$1.25 in, $10.00 out per 1M tokens" */
export function priceText(row: CatalogueRow): string {
  const { input_per_mtok: input, output_per_mtok: output, currency } = row
  if (input === null && output === null) return formatOtherAmounts(row)
  if (input !== null && Number(input) === 0 && Number(output ?? 0) === 0) return 'free'
  const texts = [
    input !== null && `${formatAmount(input, currency)} in`,
    output !== null && `${formatAmount(output, currency)} out`,
  ]
  return `${texts.filter(Boolean).join(', ')} per 1M tokens`
}

/** An instant's day, which its element tells to the second. */
export function day(instant: string): Html {
  return html`<time datetime="${instant.replace(/\.\d+/, '')}">${instant.slice(0, 10)}</time>`
}

export const sinceWords = { stated: 'since', moved: 'changed', first_seen: 'first seen' } as const

/** Since when a price is so, or when it was first seen. */
export function sinceText({ since, since_by }: Pick<CatalogueRow, 'since' | 'since_by'>): Html {
  return html`${sinceWords[since_by]} ${day(since)}`
}

/** In the tense of its day: nothing, where none is known. */
export function retirementText({ retires_on }: Pick<CatalogueRow, 'retires_on'>): string | null {
  return retires_on === null ? null : formatRetirement(retires_on)
}

/** A link to what a stranger wrote: only to the web, and search engines do not follow it. */
export function foreignLink(url: string | null, text: string): Html {
  const address = webAddress(url)
  return address === null
    ? html`${text}`
    : html`<a rel="noopener noreferrer nofollow" href="${address}">${text}</a>`
}

// Ids are a source's text: each part of a path is encoded.

/** A product by its page, a record without one by its own. */
export function modelPath({ id, isProduct }: { id: string; isProduct: boolean }): string {
  return isProduct ? productPath(id) : recordPath(id)
}

export function productPath(productId: string): string {
  const slash = productId.indexOf('/')
  if (slash <= 0 || slash === productId.length - 1) return `/models/-/${encodeURIComponent(productId)}`
  return `/models/${segment(productId.slice(0, slash))}/${segment(productId.slice(slash + 1))}`
}

/** Two models side by side, in the order of their ids. */
export function pairPath(one: { id: string }, other: { id: string }): string {
  const slug = ({ id }: { id: string }) => id.split('/').map(segment).join('/')
  return `/compare/${[one, other]
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(slug)
    .join('-vs-')}`
}

const recordPath = (resourceId: string): string => `/prices/${segment(resourceId)}`
export const vendorPath = (vendor: string): string => `/vendors/${segment(vendor)}`
export const platformPath = (platform: string): string => `/platforms/${segment(platform)}`
export const changePath = (id: string): string => `/changes/${segment(id)}`

/** A dot alone would be a step up. Colons may stand as they are. */
function segment(text: string): string {
  const encoded = encodeURIComponent(text).replaceAll('%3A', ':')
  return /^\.{1,2}$/.test(encoded) ? encoded.replaceAll('.', '%2E') : encoded
}

/** Whether a source names the maker at all. */
export const isStated = (vendor: string): boolean => vendor !== 'unknown'

export function vendorLink(vendor: string): Html {
  return html`<a href="${vendorPath(vendor)}">${companyName(vendor)}</a>`
}

export function platformLink(platform: string): Html {
  return html`<a href="${platformPath(platform)}">${companyName(platform)}</a>`
}
