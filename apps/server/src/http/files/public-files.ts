import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import express, { type Router } from 'express'
import { findNetwork } from '../../platform/network.ts'
import { namesEtag } from '../pipeline/etag.ts'
import { SharedFile } from '../pipeline/shared-file.ts'
import { enterGate, type Gate } from '../pipeline/shed.ts'
import { Copies } from './copies.ts'
import type { PublicSnapshot } from './public-snapshot.ts'
import { allowEverywhere, setCaching } from './public-headers.ts'

// What programs load without a key (decision 025): a stable address, to be asked conditionally.

export function publicFiles(snapshot: PublicSnapshot, gate: Gate): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  const copies = new Copies()
  router.get('/snapshot.json', async (req, res) => {
    enterGate(gate, res)
    allowEverywhere(res)
    const etag = await snapshot.etag()
    if (namesEtag(req.headers['if-none-match'], etag)) {
      setCaching(res, etag)
      return void res.status(304).end()
    }
    // It waits outside of the gate: pages go on.
    res.locals.leaveGate?.()
    const found = await snapshot.find()
    const send = async () => {
      setCaching(res, found.etag)
      await found.file.send(res, 'application/json')
      return res.writableFinished
    }
    if (req.method === 'HEAD') return void (await send())
    await copies.run(findNetwork(req.ip ?? ''), found.file.bytesFor(req), send)
  })
  const schema = new SharedFile('application/schema+json', readFileSync(schemaPath))
  router.get('/snapshot.schema.json', (_req, res) => {
    allowEverywhere(res)
    res.setHeader('Cache-Control', 'public, max-age=3600')
    return schema.send(res)
  })
  return router
}

const schemaPath = createRequire(import.meta.url).resolve('@ratecard/contract/snapshot.schema.json')
