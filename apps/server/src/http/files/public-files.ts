import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import express, { type Response, type Router } from 'express'
import { findNetwork } from '../../platform/network.ts'
import { namesEtag } from '../pipeline/etag.ts'
import { SharedFile } from '../pipeline/shared-file.ts'
import { enterGate, type Gate } from '../pipeline/shed.ts'
import { Copies } from './copies.ts'
import { fileForms, type FileForm, type PriceFiles } from './price-files.ts'

// What programs load without a key (decision 025): stable addresses, to be asked conditionally.

const caching = 'public, max-age=300, stale-while-revalidate=3600'

const addresses: Readonly<Record<string, FileForm>> = {
  '/snapshot.json': 'open',
  '/snapshot.litellm.json': 'litellm',
}

export function publicFiles(files: PriceFiles, gate: Gate): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  const copies = new Copies()
  for (const [path, form] of Object.entries(addresses)) {
    router.get(path, async (req, res) => {
      enterGate(gate, res)
      allowEverywhere(res)
      const etag = await files.etag(form)
      if (namesEtag(req.headers['if-none-match'], etag)) {
        setCaching(res, etag)
        return void res.status(304).end()
      }
      // It waits outside of the gate: pages go on.
      res.locals.leaveGate?.()
      const found = await files.find(form)
      const send = async () => {
        setCaching(res, found.etag)
        await found.file.send(res, fileForms[form].type)
        return res.writableFinished
      }
      if (req.method === 'HEAD') return void (await send())
      await copies.run(findNetwork(req.ip ?? ''), found.file.bytesFor(req), send)
    })
  }
  const schema = new SharedFile('application/schema+json', readFileSync(schemaPath))
  router.get('/snapshot.schema.json', (_req, res) => {
    allowEverywhere(res)
    res.setHeader('Cache-Control', 'public, max-age=3600')
    return schema.send(res)
  })
  return router
}

const schemaPath = createRequire(import.meta.url).resolve('@ratecard/contract/snapshot.schema.json')

/** It is the same for everybody, and says nothing of who asks: pages of others may load it. */
function allowEverywhere(res: Response): void {
  res.setHeader('Access-Control-Allow-Origin', '*')
  res.setHeader('Access-Control-Expose-Headers', 'ETag')
}

function setCaching(res: Response, etag: string): void {
  res.setHeader('Cache-Control', caching)
  res.setHeader('ETag', etag)
  res.vary('Accept-Encoding')
}
