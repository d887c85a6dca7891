import { companyName } from '@ratecard/contract/model-name'
import type { AmountColumn, DecimalText } from '../../features/prices/price-record.ts'
import { webAddress } from '../../platform/web-address.ts'
import { html, type Html } from './html.ts'

// How prices are worded for people. The dashboard has words of its own, for a program in a browser; rate cards have the
// same in both.
export { capital, conditionText, meterName, modalityName, unitText } from '@ratecard/contract/rate-words'

export const columnNames: Record<AmountColumn, string> = {
  input_per_mtok: 'Input',
  output_per_mtok: 'Output',
  cached_input_per_mtok: 'Cached input',
  image_per_unit: 'Image',
  audio_per_min: 'Audio',
  video_per_sec: 'Video',
}

export const columnUnits: Record<AmountColumn, string> = {
  input_per_mtok: 'per 1M tokens',
  output_per_mtok: 'per 1M tokens',
  cached_input_per_mtok: 'per 1M tokens',
  image_per_unit: 'per image',
  audio_per_min: 'per minute',
  video_per_sec: 'per second',
}

/** "$" before the amount; of another currency its code. A price without one is as its source has it. */
export function currencySign(currency: string | null): string {
  if (currency === 'USD') return '$'
  return currency === null ? '' : `${currency}\u00a0`
}

const decimalsMin = 2

/** An amount with two decimals or more: "1.25", of `1.25`; "0.075". */
export function amountDigits(amount: DecimalText): string {
  const [whole = '0', part = ''] = amount.split('.')
  return `${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${part.padEnd(decimalsMin, '0')}`
}

/** "$1.25", "free", or "unknown". */
export function amountText(amount: DecimalText | null | undefined, currency: string | null): string {
  if (amount === null || amount === undefined) return 'unknown'
  return Number(amount) === 0 ? 'free' : currencySign(currency) + amountDigits(amount)
}

/** How many decimals the amounts of a column have, for `amountHtml`. */
export function decimalsOf(amounts: Iterable<DecimalText | null | undefined>): number {
  let most = decimalsMin
  for (const amount of amounts) most = Math.max(most, amount?.split('.')[1]?.length ?? 0)
  return Math.min(9, most)
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
  const [whole = '', part = ''] = amountDigits(amount).split('.')
  return html`${currencySign(currency)}${whole}${box(`.${part}`)}`
}

const number = new Intl.NumberFormat('en-US')
export const count = (value: number): string => number.format(value)

/** "1 model", "3 models". */
export function counted(value: number, one: string, more = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : more}`
}

/** An instant's day, which its element tells exactly. */
export function day(instant: string): Html {
  return html`<time datetime="${instant}">${instant.slice(0, 10)}</time>`
}

export function instantText(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`
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

const recordPath = (resourceId: string): string => `/prices/${segment(resourceId)}`
export const vendorPath = (vendor: string): string => `/vendors/${segment(vendor)}`
export const platformPath = (platform: string): string => `/platforms/${segment(platform)}`
export const changePath = (id: string): string => `/changes/${segment(id)}`

/** A dot alone would be a step up. Colons may stand as they are. */
function segment(text: string): string {
  const encoded = encodeURIComponent(text).replaceAll('%3A', ':')
  return /^\.{1,2}$/.test(encoded) ? encoded.replaceAll('.', '%2E') : encoded
}

export function vendorLink(vendor: string): Html {
  return html`<a href="${vendorPath(vendor)}">${companyName(vendor)}</a>`
}

export function platformLink(platform: string): Html {
  return html`<a href="${platformPath(platform)}">${companyName(platform)}</a>`
}
