import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import express, { type Response, type Router } from 'express'
import { Rate } from '../../platform/rate.ts'
import { ApiError } from '../pipeline/errors.ts'
import { namesEtag } from '../pipeline/etag.ts'
import { SharedFile } from '../pipeline/shared-file.ts'
import { enterGate, NotLetIn, type Gate } from '../pipeline/shed.ts'
import { fileForms, type FileForm, type PriceFiles } from './price-files.ts'

// What programs load without a key (decision 025): stable addresses, to be asked conditionally.

/** Whole copies: a program that keeps what it has asks whether it has moved, which is not counted. */
const copiesPerMinute = { address: 6, all: 30 }

const caching = 'public, max-age=300, stale-while-revalidate=3600'

const addresses: Readonly<Record<string, FileForm>> = {
  '/snapshot.json': 'open',
  '/snapshot.litellm.json': 'litellm',
}

export function publicFiles(files: PriceFiles, gate: Gate): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  const takeCopy = copyBounds()
  for (const [path, form] of Object.entries(addresses)) {
    router.get(path, async (req, res) => {
      enterGate(gate, res)
      allowEverywhere(res)
      const etag = await files.etag(form)
      if (namesEtag(req.headers['if-none-match'], etag)) {
        setCaching(res, etag)
        return void res.status(304).end()
      }
      takeCopy(req.ip ?? '')
      // It waits outside of the gate: pages go on.
      res.locals.leaveGate?.()
      const found = await files.find(form)
      setCaching(res, found.etag)
      await found.file.send(res, fileForms[form].type)
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

/** @throws ApiError (503) when an address, or all of them together, ask for too many copies */
function copyBounds(): (address: string) => void {
  const ofAddress = new Rate({ perMinute: copiesPerMinute.address })
  const ofAll = new Rate({ perMinute: copiesPerMinute.all })
  return (address) => {
    const seconds = ofAddress.take(address) || ofAll.take('all')
    if (seconds === 0) return
    throw new ApiError('service_unavailable', {
      message: `The file was sent too often. Ask again in ${seconds} seconds, with If-None-Match and the ETag of the copy that you have.`,
      cause: new NotLetIn('too many copies of a file'),
    })
  }
}
