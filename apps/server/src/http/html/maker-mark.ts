import { companyName } from '@ratecard/contract/model-name'
import { html, type Html } from './html.ts'

/** As many as the charts have: `.s0` to `.s5`. */
const colours = 6

/** Two letters of a maker's name on its colour, the same wherever it stands. The name itself stands beside it. */
export function makerMark(vendor: string): Html {
  const [first = '?', ...rest] = companyName(vendor)
    .replace(/ AI$/, '')
    .replaceAll(/[^\p{L}\d]/gu, '')
  const second = rest.find((letter) => /\p{Lu}/u.test(letter)) ?? rest[0] ?? ''
  const hash = [...vendor].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 100_003, 7)
  const letters = vendor === 'unknown' ? '?' : first + second
  // Drawn by the style: who copies or searches the page has the name alone.
  return html`<span class="mk s${hash % colours}" data-mark="${letters}" aria-hidden="true"></span>`
}
