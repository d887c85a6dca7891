import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import express, { type Router } from 'express'
import { stringify } from 'yaml'
import type { Contract } from '../../platform/contract.ts'
import { SharedFile, SharedFolder } from '../pipeline/shared-file.ts'
import { html } from './html.ts'
import { setPageHeaders } from './layout.ts'

// Swagger UI renders the contract. Its files are served from the installed package, never from elsewhere.

const assets = new SharedFolder(
  dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')),
)

// Swagger UI styles elements in place and shows small pictures from data: addresses.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const page = html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>API reference · Ratecard</title>
      <link rel="stylesheet" href="swagger-ui.css" />
    </head>
    <body>
      <div id="reference"></div>
      <noscript
        >The reference needs JavaScript. The contract itself is at
        <a href="/openapi.yaml">/openapi.yaml</a>.</noscript
      >
      <script src="swagger-ui-bundle.js"></script>
      <script src="start.js"></script>
    </body>
  </html> `.text

const startScript = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  tryItOutEnabled: true,
  persistAuthorization: false,
  validatorUrl: null,
})
`

/** The browsable reference, to be mounted at `/docs`. */
export function referencePages(): Router {
  const document = new SharedFile('text/html; charset=utf-8', page)
  const start = new SharedFile('text/javascript; charset=utf-8', startScript)
  const router = express.Router({ caseSensitive: true, strict: false })
  router.use((_req, res, next) => {
    setPageHeaders(res, policy)
    next()
  })
  router.get('/', (req, res) => {
    // The page names its files beside itself.
    if (!req.originalUrl.split('?')[0]?.endsWith('/')) return res.redirect(308, `${req.baseUrl}/`)
    return document.send(res)
  })
  router.get('/start.js', (_req, res) => start.send(res))
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    router.get(`/${name}`, async (_req, res, next) => {
      const file = await assets.read(name)
      if (!file) return next()
      res.setHeader('Cache-Control', 'public, max-age=3600')
      await file.send(res)
    })
  }
  return router
}

/** The contract as data, with this server filled in, for tools to use as it is. */
export function contractFiles(contract: Contract, publicUrl: string): Router {
  const document = { ...contract.document, servers: [{ url: publicUrl }] }
  const json = new SharedFile('application/json; charset=utf-8', JSON.stringify(document, null, 2))
  const yaml = new SharedFile('application/yaml', stringify(document, { aliasDuplicateObjects: false }))
  const router = express.Router({ caseSensitive: true, strict: true })
  router.get('/openapi.json', (_req, res) => json.send(res))
  router.get('/openapi.yaml', (_req, res) => yaml.send(res))
  return router
}
