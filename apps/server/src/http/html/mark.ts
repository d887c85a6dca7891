import { html, type Html } from './html.ts'

/** The mark in 32 by 32: prices that fall, step by step, on a card. */
export const markShapes: Html = html`<rect width="32" height="32" rx="8" fill="#5546e0" />
  <path
    d="M7 9h6v7h6v5h6"
    fill="none"
    stroke="#fff"
    stroke-width="3"
    stroke-linecap="round"
    stroke-linejoin="round"
  />
  <circle cx="25" cy="21" r="2.6" fill="#c9c2ff" />`

export const mark: Html = html`<svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
  ${markShapes}
</svg>`
