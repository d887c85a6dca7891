import express, { type Router } from 'express'
import { stringify } from 'yaml'
import type { Contract } from '../../../platform/contract.ts'
import { SharedFile } from '../../pipeline/shared-file.ts'
import { referenceScript, referenceStyle } from '../assets.ts'
import { sendPage, type CreatePage } from '../layout.ts'
import type { ReferenceDocument } from './document.ts'
import { referenceBody } from './page.ts'

/** The readable reference, at `/docs/`. It is made once: the contract does not change while we run. */
export function referencePages(contract: Contract, publicUrl: string, createPage: CreatePage): Router {
  const page = createPage({
    title: 'API reference',
    description:
      'The HTTP interface of Ratecard: prices, changes, webhooks and usage, with an example of each answer.',
    canonical: '/docs/',
    section: '/docs/',
    body: referenceBody(contract.document as unknown as ReferenceDocument, publicUrl),
    own: { style: referenceStyle.path, script: referenceScript.path },
  })
  const router = express.Router({ caseSensitive: true, strict: false })
  router.get('/docs', (req, res) => {
    if (!req.path.endsWith('/')) return res.redirect(308, '/docs/')
    return sendPage(res, page)
  })
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
