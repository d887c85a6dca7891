import type { RequestHandler } from 'express'
import { html } from './html.ts'
import { buildPage, type Page } from './layout.ts'
import type { PageCache } from './page-cache.ts'
import { modelText } from './product.ts'
import { productPath } from './words.ts'

// A model's price as a small picture, for readmes and blogs: it is right as long as the page is.

const charsMax = 60
/** Of a character of 11 px, about; `textLength` makes the text as wide as its box. */
const charWidth = 6.4
const padding = 7

/** `/badge/<vendor>/<model>.svg` */
export function badge(pages: PageCache): RequestHandler<{ vendor: string; model: string }> {
  const answer = pages.handler((req) => {
    const [vendor, name] = [String(req.params.vendor), String(req.params.model)]
    const id = vendor === '-' ? name : `${vendor}/${name}`
    return {
      key: `/badge${productPath(id)}`,
      render: ({ catalogue }) => {
        const model = catalogue.products.get(id)
        if (!model) return draw('price', 'no such model', 404)
        return draw(model.name, modelText(model).replace(' per 1M tokens', ' per 1M'))
      },
    }
  })
  return (req, res, next) => {
    // Pages of others show it.
    res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
    return answer(req as never, res, next)
  }
}

function draw(name: string, price: string, status = 200): Page {
  const [left, right] = [box(name), box(price)]
  const width = left.width + right.width
  const text = ({ text, width }: ReturnType<typeof box>, x: number) =>
    html`<text x="${x + padding}" y="14" textLength="${width - 2 * padding}" lengthAdjust="spacingAndGlyphs"
      >${text}</text
    >`
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${name}: ${price}"><title>${name}: ${price}</title><clipPath id="r"><rect width="${width}" height="20" rx="4"/></clipPath><g clip-path="url(#r)"><rect width="${left.width}" height="20" fill="#3d434d"/><rect x="${left.width}" width="${right.width}" height="20" fill="${status === 200 ? '#5546e0' : '#6b7280'}"/></g><g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">${text(left, 0)}${text(right, left.width)}</g></svg>` // prettier-ignore
  return buildPage('image/svg+xml; charset=utf-8', svg.text, status)
}

function box(text: string): { text: string; width: number } {
  const characters = [...text]
  const shown = characters.length > charsMax ? `${characters.slice(0, charsMax - 1).join('')}…` : text
  return { text: shown, width: Math.ceil([...shown].length * charWidth) + 2 * padding }
}
