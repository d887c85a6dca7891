import type { RequestHandler } from 'express'
import { buildQuery, withQuery } from '../html/inputs.ts'
import { modelPath, productPath, vendorPath } from '../html/words.ts'

// Prices, models, comparisons, the calculator and changes are public pages. The dashboard had pages of its own for them,
// whose addresses are in mails and bookmarks: each leads to the public page that shows the same.

const publicPath = /^\/dashboard(\/(?:models|vendors|platforms|prices|compare|calculator|changes)(?:\/.*)?)$/

export const leadToPublicPages: RequestHandler = (req, res, next) => {
  const { pathname, searchParams } = new URL(req.originalUrl, 'http://localhost')
  const [, path] = publicPath.exec(pathname) ?? []
  if (path === undefined) return next()
  res.redirect(301, publicAddress(path.replace(/\/+$/, ''), searchParams))
}

/** @param path below `/dashboard` */
export function publicAddress(path: string, query: URLSearchParams): string {
  switch (path) {
    case '/prices':
      return pricesAddress(query)
    case '/compare':
      return withQuery(
        path,
        new URLSearchParams(query.getAll('record').map((id): [string, string] => ['models', id])),
      )
    case '/calculator':
      return withQuery(path, calculation(query))
    case '/changes':
      return withQuery(
        path,
        pick(query, {
          vendor: 'vendor',
          product: 'product',
          category: 'category',
          min_severity: 'min_severity',
        }),
      )
    default:
      return withQuery(path, query)
  }
}

function pricesAddress(query: URLSearchParams): string {
  const [record, product] = [query.get('record'), query.get('product')]
  if (record !== null) return modelPath({ id: record, isProduct: false })
  if (product !== null) return productPath(product)
  const found = pick(query, { search: 'q', vendor: 'vendor', platform: 'platform', modality: 'modality' })
  const vendor = found.get('vendor')
  return vendor !== null && found.size === 1 ? vendorPath(vendor) : withQuery('/models', found)
}

function pick(query: URLSearchParams, names: Readonly<Record<string, string>>): URLSearchParams {
  const picked = Object.entries(names).map(([from, to]) => [to, query.get(from) || null] as const)
  return buildQuery(Object.fromEntries(picked))
}

const daysOfMonth = 30
const mtokMax = 1_000_000_000

/** The dashboard's calculator asked for the tokens of a request; the public one asks for those of all requests. */
function calculation(query: URLSearchParams): URLSearchParams {
  const model = query.get('model')
  if (model === null) return new URLSearchParams()
  const read = (name: string, usual: number) => {
    const text = query.get(name) ?? ''
    return /^\d{1,13}$/.test(text) ? Number(text) : usual
  }
  const requests = read('requests', 10_000) * (query.get('per') === 'day' ? daysOfMonth : 1)
  const ofMonth = (tokens: number) => Number(Math.min(mtokMax, (requests * tokens) / 1_000_000).toFixed(6))
  return buildQuery({
    model,
    in: ofMonth(read('in', 2_000)),
    out: ofMonth(read('out', 500)),
    cached: Math.min(100, read('cached', 0)),
    batch: query.get('batch') === '1' && 1,
    requests,
  })
}
