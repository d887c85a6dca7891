import { createHash } from 'node:crypto'
import type { Response } from 'express'
import type { Config } from '../../platform/config.ts'
import { namesEtag } from '../pipeline/etag.ts'
import { SharedFile } from '../pipeline/shared-file.ts'
import { agesLine, type DataAges } from './ages.ts'
import { fontFile, iconFile, pictureFile, siteScript, type HashedFile } from './assets.ts'
import type { Followed } from '../../features/notices/follower-store.ts'
import { followForm } from './follow-form.ts'
import { html, jsonLdScript, nothing, type Html } from './html.ts'
import { withQuery } from './inputs.ts'
import { mark } from './mark.ts'
import { styleElement, styleSource } from './style.ts'

// Data for search engines are no script, and no policy has to allow them.
const policy = `default-src 'none'; script-src 'self'; style-src 'self' ${styleSource}; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; connect-src 'self'`

const htmlType = 'text/html; charset=utf-8'

/** An HTML page, ready to be sent. */
export interface Page {
  status: number
  file: SharedFile
  etag: string
  /** Where it has gone for good. */
  location?: string
  /** What it takes in memory, with its compressed forms, about. */
  bytes: number
}

/** Of pages that are the same for everybody. A browser shows the last one while it asks for the next. */
const publicCaching = 'public, max-age=60, stale-while-revalidate=600'

/** @param options.isPrivate whether it is for one person, and kept by nobody */
export async function sendPage(
  res: Response,
  { status, file, etag, location }: Page,
  { isPrivate = false } = {},
): Promise<void> {
  setPageHeaders(res, policy)
  if (isPrivate) res.setHeader('Cache-Control', 'no-store')
  else if (status === 200) {
    res.setHeader('Cache-Control', publicCaching)
    res.setHeader('ETag', etag)
    res.vary('Accept-Encoding')
    if (namesEtag(res.req.headers['if-none-match'], etag)) return void res.status(304).end()
  }
  res.status(status)
  if (location !== undefined) res.setHeader('Location', location)
  await file.send(res)
}

const sections = [
  ['/models', 'Models'],
  ['/compare', 'Compare'],
  ['/changes', 'Changes'],
  ['/data', 'Data'],
  ['/plans', 'Plans'],
  ['/docs/', 'Docs'],
] as const

interface PageContent {
  title: string
  body: Html
  status?: number
  /** One sentence, for search engines and for who is sent a link. */
  description?: string
  /** The path by which search engines shall know the page, with its query; none: they shall not list it. */
  canonical?: string
  /** The section of the navigation in which it is. */
  section?: (typeof sections)[number][0]
  /** A script that improves it. */
  script?: HashedFile
  /** A style and a script of its own, by their paths; the script asks the API. */
  own?: { style: string; script: string }
  /** What chooses the changes of its feeds. */
  feed?: URLSearchParams
  jsonLd?: object
  /** Of a page with prices: how old the data are that they are made of. */
  ages?: DataAges
  /** The picture for links to it, by its path below `/pictures`; none: that of the house. */
  picture?: { path: string; alt: string }
}

export interface CreatePage {
  (content: PageContent): Page
  publicUrl: string
  /** The field to follow what a page is about by mail; nothing, where no mail is sent. */
  follow: (what: Followed) => Html
}

const feeds = [
  ['/changes.atom', 'application/atom+xml'],
  ['/changes.json', 'application/feed+json'],
  ['/changes.ics', 'text/calendar'],
] as const

const standardDescription =
  'AI model prices across vendors and platforms: full rate cards, history, announced changes and sources.'

/** What the operator says of themselves at the foot of each page. */
export type House = Pick<Config, 'CONTACT' | 'FOOTER_LINKS'>

/** Makes pages of a server with this address. */
export function pageCreator(
  publicUrl: string,
  { canMail = false, ...house }: House & { canMail?: boolean },
): CreatePage {
  const links = houseLinks(house).map(({ label, url }) => html`<a href="${url}">${label}</a> `)
  const create = (content: PageContent) =>
    buildPage(htmlType, pageText(publicUrl, links, content), content.status)
  return Object.assign(create, {
    publicUrl,
    follow: (what: Followed) => (canMail ? followForm(what) : nothing),
  })
}

export function houseLinks({ CONTACT, FOOTER_LINKS }: House): { label: string; url: string }[] {
  return [...(CONTACT === undefined ? [] : [{ label: 'Contact', url: contactUrl(CONTACT) }]), ...FOOTER_LINKS]
}

/** @param contact an e-mail address or a URL */
export function contactUrl(contact: string): string {
  return contact.startsWith('https:') ? contact : `mailto:${contact}`
}

/** A text that is sent as it is, with a tag of its content. */
export function buildPage(type: string, text: string, status = 200): Page {
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 20)}"`
  const bytes = Math.ceil(1.4 * Buffer.byteLength(text)) + 1_024
  return { status, file: new SharedFile(type, text), etag, bytes }
}

/** Leads to the page that has what was asked for. */
export function redirectPage(location: string): Page {
  return { ...buildPage('text/plain; charset=utf-8', `See ${location}\n`, 301), location }
}

function pageText(publicUrl: string, links: readonly Html[], content: PageContent): string {
  const { title, body, canonical, section, script, feed, jsonLd, own } = content
  const description = content.description ?? standardDescription
  const url = canonical === undefined ? null : publicUrl + canonical
  const picture = content.picture ?? {
    path: pictureFile.path,
    alt: 'Ratecard: AI model prices you can build on',
  }
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Ratecard</title>
        <meta name="description" content="${description}" />
        ${url === null ? html`<meta name="robots" content="noindex" />` : html`<link rel="canonical" href="${url}" />`}
        <meta property="og:site_name" content="Ratecard" />
        <meta property="og:type" content="website" />
        <meta property="og:title" content="${title}" />
        <meta property="og:description" content="${description}" />
        ${url !== null && html`<meta property="og:url" content="${url}" />`}
        <meta property="og:image" content="${publicUrl}${picture.path}" />
        <meta property="og:image:type" content="image/png" />
        <meta property="og:image:width" content="1200" />
        <meta property="og:image:height" content="630" />
        <meta property="og:image:alt" content="${picture.alt}" />
        <meta name="twitter:card" content="summary_large_image" />
        <meta name="twitter:image:alt" content="${picture.alt}" />
        <meta name="color-scheme" content="light dark" />
        <link rel="preload" as="font" type="font/woff2" href="${fontFile.path}" crossorigin />
        <link rel="icon" type="image/svg+xml" href="${iconFile.path}" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        ${
          feed !== undefined &&
          feeds.map(
            ([path, type]) =>
              html`<link rel="alternate" type="${type}" title="Changes" href="${withQuery(path, feed)}" />`,
          )
        }
        ${styleElement} ${jsonLd ? jsonLdScript(jsonLd) : nothing}
        <script src="${siteScript.path}" defer></script>
        ${script && html`<script type="module" src="${script.path}"></script>`}
        ${
          own &&
          html`<link rel="stylesheet" href="${own.style}" />
            <script src="${own.script}" defer></script>`
        }
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        <header class="top">
          <div class="bar">
            <a class="brand" href="/">${mark}Ratecard</a>
            <nav class="menu" aria-label="Main">
              ${sections.map(
                ([path, name]) =>
                  html`<a href="${path}" ${path === section && html` aria-current="true"`}>${name}</a> `,
              )}
            </nav>
            <div class="account">
              <a href="/dashboard/sign-in">Sign in</a> <a class="btn" href="/dashboard/sign-up">Sign up</a>
            </div>
            <div class="account" hidden><a class="btn" href="/dashboard/">Dashboard</a></div>
          </div>
        </header>
        <main id="main" tabindex="-1">${content.ages ? agesLine(content.ages) : nothing}${body}</main>
        <footer class="foot">
          <div>
            <span>Ratecard: AI model prices you can build on</span>
            <a href="/models">Models</a> <a href="/calculator">Calculator</a> <a href="/changes">Changes</a>
            <a href="/status">Data status</a>
            <a href="/truth">How true?</a>
            <a href="/openapi.yaml">openapi.yaml</a> <a href="/changes.atom">Atom</a>
            <a href="/llms.txt">llms.txt</a> ${links}
          </div>
        </footer>
      </body>
    </html> `.text
}

export function setPageHeaders(res: Response, contentSecurityPolicy: string): void {
  res.setHeader('Content-Security-Policy', contentSecurityPolicy)
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('X-Frame-Options', 'DENY')
  res.setHeader('Referrer-Policy', 'no-referrer')
  res.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  res.setHeader('Cache-Control', 'no-cache')
}
