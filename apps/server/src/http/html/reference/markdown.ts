import { Marked } from 'marked'
import { Html } from '../html.ts'

// Only the contract, which is our own text, is rendered: its HTML is trusted.

const marked = new Marked({
  gfm: true,
  renderer: {
    // The title of the page is the one heading of the first level; each heading has an address.
    heading({ tokens, depth, text }) {
      const level = Math.min(6, depth)
      return `<h${level} id="${buildAnchor(text)}">${this.parser.parseInline(tokens)}</h${level}>`
    },
    table(token) {
      const cells = (row: typeof token.header, tag: 'th' | 'td') =>
        row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')
      const head = `<thead><tr>${cells(token.header, 'th')}</tr></thead>`
      const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')
      return `<div class="wide" tabindex="0"><table>${head}<tbody>${rows}</tbody></table></div>`
    },
  },
})

export function markdown(text: string | undefined): Html {
  return new Html(text === undefined ? '' : marked.parse(text, { async: false }))
}

export function inlineMarkdown(text: string | undefined): Html {
  return new Html(text === undefined ? '' : marked.parseInline(text, { async: false }))
}

export function buildAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** The headings of the second level, for a table of contents. */
export function findHeadings(text: string): string[] {
  return [...text.matchAll(/^## +(.+)$/gm)].map(([, heading]) => heading!.trim())
}
