import type { RequestHandler, Response } from 'express'
import { SharedFile } from '../pipeline/shared-file.ts'

/** Text that is HTML already. Only `html` makes it. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | null | undefined | false | readonly Part[]

/** A template whose values are escaped, unless they are `Html` themselves. */
export function html(strings: TemplateStringsArray, ...values: Part[]): Html {
  return new Html(strings.map((text, index) => text + render(values[index])).join(''))
}

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(render).join('')
  return String(part).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const policy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const htmlType = 'text/html; charset=utf-8'

/** An HTML page, ready to be sent. */
export interface Page {
  status: number
  file: SharedFile
}

export function sendPage(res: Response, { status, file }: Page): Promise<void> {
  res.status(status)
  setPageHeaders(res, policy)
  return file.send(res)
}

/** An HTML page that is the same for every reader. */
export function fixedPage(page: Page): RequestHandler {
  return (_req, res) => sendPage(res, page)
}

export function createPage({
  title,
  body,
  status = 200,
}: {
  title: string
  body: Html
  status?: number
}): Page {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Ratecard</title>
        <link rel="stylesheet" href="/assets/page.css" />
      </head>
      <body>
        <header>
          <a class="brand" href="/">Ratecard</a>
          <nav><a href="/plans">Plans</a><a href="/docs/">API reference</a></nav>
        </header>
        <main>${body}</main>
      </body>
    </html> `
  return { status, file: new SharedFile(htmlType, page.text) }
}

export function setPageHeaders(res: Response, contentSecurityPolicy: string): void {
  res.setHeader('Content-Security-Policy', contentSecurityPolicy)
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('X-Frame-Options', 'DENY')
  res.setHeader('Referrer-Policy', 'no-referrer')
  res.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  res.setHeader('Cache-Control', 'no-cache')
}

export function homePage(): RequestHandler {
  const page = createPage({
    title: 'AI-model prices',
    body: html`<h1>AI-model prices you can build on</h1>
      <p>
        Stored price records across vendors and platforms, published vendor changes, and signed alerts when
        one happens.
      </p>
      <ul>
        <li><a href="/docs/">API reference</a>, from the contract this server is held to</li>
        <li><a href="/openapi.yaml">openapi.yaml</a> and <a href="/openapi.json">openapi.json</a></li>
        <li><a href="/plans">Plans and top-up packs</a></li>
        <li><a href="/health">Health</a></li>
      </ul>`,
  })
  return fixedPage(page)
}

const css = `:root { color-scheme: light dark; --text: #1c2024; --soft: #60646c; --line: #d9dce1; --accent: #0b5cad; --back: #fff; --panel: #f6f7f9 }
@media (prefers-color-scheme: dark) { :root { --text: #edeef0; --soft: #b0b4ba; --line: #363a3f; --accent: #70b8ff; --back: #111113; --panel: #1b1d1f } }
* { box-sizing: border-box }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.6 system-ui, sans-serif }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: baseline; padding: .9rem 1.25rem; border-bottom: 1px solid var(--line) }
nav { display: flex; gap: 1.25rem }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem }
a { color: var(--accent) }
.brand { color: inherit; font-weight: 650; text-decoration: none }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .5rem 0 1rem }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }
table { width: 100%; border-collapse: collapse }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line) }
th { font-weight: 600 }

.facts { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.25rem; margin: 1rem 0 }
.facts dt { color: var(--soft) }
.facts dd { margin: 0; overflow-wrap: anywhere }
@media (max-width: 40rem) {
  thead { display: none }
  tr { display: grid; grid-template-columns: 1fr 1fr; padding: .75rem 0; border-bottom: 1px solid var(--line) }
  th, td { border: 0; padding: .1rem 0; text-align: left }
  th[scope=row] { grid-column: 1 / -1; font-size: 1.05rem }
  td::before { content: attr(data-label) ": "; color: var(--soft) }
}
.soft { color: var(--soft) }
.badge { display: inline-block; padding: 0 .55rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--panel); font-size: .85rem }
`

export function stylesheet(): RequestHandler {
  const file = new SharedFile('text/css; charset=utf-8', css)
  return (_req, res) => {
    res.setHeader('Cache-Control', 'public, max-age=300')
    return file.send(res)
  }
}
