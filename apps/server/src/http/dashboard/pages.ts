import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import express, { type RequestHandler, type Router } from 'express'
import { setPageHeaders } from '../pages/layout.ts'

/** Where `pnpm build` puts the pages. */
export const builtPages = join(
  dirname(createRequire(import.meta.url).resolve('@ratecard/dashboard/package.json')),
  'dist',
)

// Scripts and styles come from files of ours alone, none from the page itself: text that found its way into a page runs
// as nothing.
export const dashboardPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const notBuilt = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Dashboard not built · Ratecard</title></head>
<body><h1>The dashboard is not built</h1><p>Run <code>pnpm build</code> in the repository, then load this page again.</p></body></html>
`

/** The pages under `/dashboard`: one document whatever the path, which the script in it reads, and the files it names. */
export function dashboardPages(folder = builtPages): Router {
  const router = express.Router({ caseSensitive: true, strict: false })
  const assets = express.static(join(folder, 'assets'), {
    index: false,
    redirect: false,
    fallthrough: true,
    // Their names change with their content.
    immutable: true,
    maxAge: '365d',
    setHeaders: (res) => res.setHeader('X-Content-Type-Options', 'nosniff'),
  })
  router.use(
    '/dashboard/assets',
    assets,
    (_req, res) => void res.status(404).type('text').send('Not found.\n'),
  )
  router.get(['/dashboard', '/dashboard/*path'], sendDocument(folder))
  return router
}

function sendDocument(folder: string): RequestHandler {
  return (_req, res) => {
    const page = readDocument(folder)
    setPageHeaders(res, dashboardPolicy)
    res.setHeader('Cache-Control', 'no-store')
    res.setHeader('Content-Type', 'text/html; charset=utf-8')
    res.status(page === null ? 503 : 200).send(page ?? notBuilt)
  }
}

/** Read anew each time: a page is opened seldom, and a build while the server runs takes effect. */
function readDocument(folder: string): string | null {
  try {
    return readFileSync(join(folder, 'index.html'), 'utf8')
  } catch {
    return null
  }
}
