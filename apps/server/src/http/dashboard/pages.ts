import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import express, { type Router } from 'express'
import type { CellHost } from '../../platform/config.ts'
import { setPageHeaders } from '../html/layout.ts'
import { SharedFile, SharedFolder } from '../pipeline/shared-file.ts'
import { leadToPublicPages } from './public-addresses.ts'

/** Where `pnpm build` puts the pages. */
const builtPages = join(
  dirname(createRequire(import.meta.url).resolve('@ratecard/dashboard/package.json')),
  'dist',
)

// Scripts and styles come from our files alone, none from the page itself: text that was injected into a page does not
// run.
export const dashboardPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; manifest-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const buildCommand = 'pnpm --filter @ratecard/dashboard build'

/** What to do about pages that are missing; null: they are there. */
export function adviseOnPages(): string | null {
  if (existsSync(join(builtPages, 'index.html'))) return null
  return `the dashboard is not built, and /dashboard answers 503: run "${buildCommand}" in the repository, and deploy it again if this server was deployed from it`
}

const notBuilt = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Dashboard not built · Ratecard</title></head>
<body><h1>The dashboard is not built</h1><p>Run <code>${buildCommand}</code> in the repository, and deploy it again if this server was deployed from it.</p></body></html>
`

/**
 * The pages under `/dashboard`: one document whatever the path, which the script in it reads, and the files it names.
 * @param cellHosts where people of other cells sign in: public, and the same for all who ask
 * @param links at the foot of each page
 */
export function dashboardPages(
  cellHosts: readonly CellHost[] = [],
  links: readonly { label: string; url: string }[] = [],
  folder = builtPages,
): Router {
  const files = new SharedFolder(folder)
  const router = express.Router({ caseSensitive: true, strict: false })
  router.get('/dashboard/assets/:name', async (req, res, next) => {
    const file = await files.read(join('assets', basename(req.params.name)))
    if (!file) return next()
    // Their names change with their content.
    res.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
    await file.send(res)
  })
  router.get('/dashboard/cells.json', (_req, res) => {
    res.setHeader('Cache-Control', 'public, max-age=300')
    res.json(cellHosts.map(({ mark, url, takesSignUps }) => ({ mark, url, sign_up: takesSignUps })))
  })
  router.get('/dashboard/house.json', (_req, res) => {
    res.setHeader('Cache-Control', 'public, max-age=300')
    res.json(links)
  })
  router.use('/dashboard/assets', (_req, res) => void res.status(404).type('text').send('Not found.\n'))
  router.get('/dashboard/*path', leadToPublicPages)
  router.get(['/dashboard', '/dashboard/*path'], async (_req, res) => {
    const page = await files.read('index.html')
    setPageHeaders(res, dashboardPolicy)
    res.setHeader('Cache-Control', 'no-store')
    res.status(page ? 200 : 503)
    await (page ?? notBuiltPage).send(res)
  })
  return router
}

const notBuiltPage = new SharedFile('text/html; charset=utf-8', notBuilt)
