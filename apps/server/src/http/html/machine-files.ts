import { dayMs } from '../../platform/day.ts'
import type { RequestHandler } from 'express'
import { SharedFile } from '../pipeline/shared-file.ts'
import { listChangeDays } from '../../features/changes/change-days.ts'
import { listPairs } from './compare.ts'
import { buildPage, contactUrl } from './layout.ts'
import type { PageCache, PageData } from './page-cache.ts'
import { weekPath } from './week.ts'
import { ApiError } from '../pipeline/errors.ts'
import { changePath, modelPath, pairPath, platformPath, vendorPath } from './words.ts'

// What programs that read the web look for.

/** A sitemap may hold 50,000; a file of 10,000 is 1.5 MB. */
const urlsMax = 10_000
/** The newest ones: what moved years ago nobody looks for. */
const changesMax = 20_000

interface SitemapUrl {
  path: string
  /** The day of its last move. */
  day?: string
}

/** The map, or where it would be too long an index of maps. */
export function sitemap(pages: PageCache, publicUrl: string): RequestHandler {
  return pages.handler(() => ({
    key: '/sitemap.xml',
    render: async (data) => {
      const urls = await listUrls(data)
      if (urls.length <= urlsMax) return buildPage(xmlType, urlSet(publicUrl, urls))
      const parts = Array.from({ length: Math.ceil(urls.length / urlsMax) }, (_, index) => index + 1)
      const maps = parts.map((part) => `<sitemap><loc>${xml(publicUrl)}/sitemap-${part}.xml</loc></sitemap>`)
      return buildPage(
        xmlType,
        `${xmlHead}<sitemapindex xmlns="${namespace}">\n${maps.join('\n')}\n</sitemapindex>\n`,
      )
    },
  }))
}

/** A part of the map: `/sitemap-2.xml`. */
export function sitemapPart(pages: PageCache, publicUrl: string): RequestHandler<{ part: string }> {
  return pages.handler((req) => {
    const part = /^[1-9]\d{0,3}$/.exec(String(req.params.part))
    if (!part) return null
    return {
      key: `/sitemap-${part[0]}.xml`,
      render: async (data) => {
        const urls = await listUrls(data)
        const begin = (Number(part[0]) - 1) * urlsMax
        if (begin >= urls.length) throw new ApiError('not_found')
        return buildPage(xmlType, urlSet(publicUrl, urls.slice(begin, begin + urlsMax)))
      },
    }
  }) as RequestHandler<{ part: string }>
}

async function listUrls({ db, catalogue }: PageData): Promise<SitemapUrl[]> {
  const { models, vendors, platforms } = catalogue
  const changes = await listChangeDays(db, changesMax)
  return [
    ...[
      '/',
      '/models',
      '/changes',
      '/plans',
      '/compare',
      '/calculator',
      '/data',
      '/status',
      '/truth',
      '/docs/',
      weekPath(),
    ].map((path) => ({ path })),
    ...[...vendors.keys()].map((vendor) => ({ path: vendorPath(vendor) })),
    ...[...platforms.keys()].map((platform) => ({ path: platformPath(platform) })),
    // A record without a product is on its platform's page.
    ...models.flatMap((model) =>
      model.isProduct ? [{ path: modelPath(model), day: model.updated_at.slice(0, 10) }] : [],
    ),
    ...listPairs(catalogue).map((pair) => ({ path: pairPath(...pair) })),
    ...changes.map(({ id, day }) => ({ path: changePath(id), day })),
  ]
}

const xmlType = 'application/xml; charset=utf-8'
const xmlHead = '<?xml version="1.0" encoding="utf-8"?>\n'
const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'

function urlSet(publicUrl: string, urls: readonly SitemapUrl[]): string {
  const lines = urls.map(
    ({ path, day }) =>
      `<url><loc>${xml(publicUrl + path)}</loc>${day ? `<lastmod>${day}</lastmod>` : ''}</url>`,
  )
  return `${xmlHead}<urlset xmlns="${namespace}">\n${lines.join('\n')}\n</urlset>\n`
}

/** An address is encoded already; XML wants more. */
const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll("'", '&apos;')

/** Everything but what answers nobody, and what only repeats other pages: searches and comparisons. */
export function robots(publicUrl: string): RequestHandler {
  return textFile(`User-agent: *
Disallow: /v1/
Disallow: /dashboard/
Disallow: /unsubscribe/
Disallow: /models?q=
Disallow: /compare?

Sitemap: ${publicUrl}/sitemap.xml
`)
}

/** How long what `security.txt` says holds: less than a year (RFC 9116, 2.5.5). */
const securityTxtDays = 180

/** Whom to tell of a weakness (RFC 9116). It is made when it is asked for: its end is always ahead. */
export function securityTxt(publicUrl: string, contact: string): RequestHandler {
  return (_req, res) => {
    const expires = new Date(Date.now() + securityTxtDays * dayMs).toISOString()
    res.setHeader('Cache-Control', 'public, max-age=86400')
    res.type('text/plain; charset=utf-8').send(`Contact: ${contactUrl(contact)}
Expires: ${expires.slice(0, 10)}T00:00:00Z
Preferred-Languages: en
Canonical: ${publicUrl}/.well-known/security.txt
`)
  }
}

/** What a language model should read first (llmstxt.org). */
export function llms(publicUrl: string): RequestHandler {
  return textFile(`# Ratecard

> Prices of AI models across vendors and platforms, with rate cards, history, announced prices and the sources behind each. Amounts are in US dollars per million tokens unless a page says otherwise. "–" is unknown, which is not free.

## Pages

- [Models](${publicUrl}/models): all models; \`?q=\` searches by name, id, maker and platform
- ${publicUrl}/models/<vendor>/<model>: one model on all platforms, such as ${publicUrl}/models/openai/gpt-4o
- [Compare](${publicUrl}/compare): \`?models=a,b\`, at most four
- [Changes](${publicUrl}/changes): what moved; also as [Atom](${publicUrl}/changes.atom), [JSON Feed](${publicUrl}/changes.json) and [calendar](${publicUrl}/changes.ics)
- [Status](${publicUrl}/status): each source, its version and how old its data are

## API

- [snapshot.json](${publicUrl}/snapshot.json): all prices with rate cards, announced prices and sources, without a key; ask with If-None-Match. Its [schema](${publicUrl}/snapshot.schema.json)
- [exports/litellm.json](${publicUrl}/exports/litellm.json): LiteLLM's map with these prices, for gateways; other programs' forms are beside it, and what each cannot hold is in its .report.json
- ${publicUrl}/mcp: tools for agents (Model Context Protocol, streamable HTTP), without a key: search, exact records, what a model name means, and what a use costs
- [openapi.json](${publicUrl}/openapi.json): the contract of the API; a key is free
- [Reference](${publicUrl}/docs/): the same for people
- [Plans](${publicUrl}/plans): what each plan may ask for
`)
}

function textFile(text: string): RequestHandler {
  const file = new SharedFile('text/plain; charset=utf-8', text)
  return (_req, res) => {
    res.setHeader('Cache-Control', 'public, max-age=3600')
    return file.send(res)
  }
}
