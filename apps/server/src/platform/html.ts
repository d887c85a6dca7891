/** Text that is HTML already. Only `html` makes it. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Part = string | number | Html | null | undefined | false | readonly Part[]

/** A template whose values are escaped, unless they are `Html` themselves. */
export function html(strings: TemplateStringsArray, ...values: Part[]): Html {
  return new Html(
    dense(strings)
      .map((text, index) => text + render(values[index]))
      .join(''),
  )
}

const dropped = new WeakMap<TemplateStringsArray, readonly string[]>()

/** Without the indentation of lines, a third of a page. What a template shows as it is written keeps it. */
function dense(strings: TemplateStringsArray): readonly string[] {
  const known = dropped.get(strings)
  if (known) return known
  const isShown = strings.some((text) => text.includes('<pre'))
  const texts = isShown ? strings : strings.map((text) => text.replaceAll(/\n\s*/g, '\n'))
  dropped.set(strings, texts)
  return texts
}

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(render).join('')
  return String(part).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

export const nothing = new Html('')

/** Data for search engines. No `<` leaves the element, whatever the data say. */
export function jsonLdScript(data: object): Html {
  return new Html(
    `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`,
  )
}
