import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import express, { type Router } from 'express'
import { stringify } from 'yaml'
import type { Contract } from '../../platform/contract.ts'
import { html, setPageHeaders } from './layout.ts'

// Swagger UI renders the contract. Its files are served from the installed package, never from elsewhere.

const assetFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const assets = ['swagger-ui.css', 'swagger-ui-bundle.js']

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
  const router = express.Router({ caseSensitive: true, strict: false })
  router.use((_req, res, next) => {
    setPageHeaders(res, policy)
    next()
  })
  router.get('/', (req, res) => {
    // The page names its files beside itself.
    if (!req.originalUrl.split('?')[0]?.endsWith('/')) return res.redirect(308, `${req.baseUrl}/`)
    res.type('html').send(page)
  })
  router.get('/start.js', (_req, res) => void res.type('js').send(startScript))
  for (const asset of assets) {
    router.get(`/${asset}`, async (_req, res) => {
      res.setHeader('Cache-Control', 'public, max-age=3600')
      res.type(asset).send(await readFile(join(assetFolder, asset)))
    })
  }
  return router
}

/** The contract as data, with this server filled in, so that tools can use it as it is. */
export function contractFiles(contract: Contract, publicUrl: string): Router {
  const document = { ...contract.document, servers: [{ url: publicUrl }] }
  const json = JSON.stringify(document, null, 2)
  const yaml = stringify(document, { aliasDuplicateObjects: false })
  const router = express.Router({ caseSensitive: true, strict: true })
  router.get('/openapi.json', (_req, res) => void res.type('json').send(json))
  router.get('/openapi.yaml', (_req, res) => void res.type('application/yaml').send(yaml))
  return router
}
