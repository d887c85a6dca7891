import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import express, { type Response, type Router } from 'express'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../database/connect.ts'
import {
  isCompressed,
  listExports,
  readExportFile,
  typeOfExport,
  type ExportFile,
} from '../../features/prices/export-store.ts'
import { findNetwork } from '../../platform/network.ts'
import { readOnceIn } from '../../platform/versioned.ts'
import { copiesOfExports, keptExportsBytesMax, listVersionMs, paceOfExports } from '../limits/index.ts'
import { codingFor } from '../pipeline/codings.ts'
import { ApiError } from '../pipeline/errors.ts'
import { namesEtag } from '../pipeline/etag.ts'
import { atPace } from '../pipeline/pace.ts'
import { enterGate, NotLetIn, type Gate } from '../pipeline/shed.ts'
import { Copies } from './copies.ts'
import { allowEverywhere, setCaching } from './public-headers.ts'

// The price list as other programs load it (decision 025). Workers make the files; here is only what sends them.

/** Addresses that programs ask for by themselves, one that people guess, and that of an earlier release. */
const aliases: Readonly<Record<string, string>> = {
  '/models.dev/api.json': 'models.dev.json',
  '/prices.csv': 'prices.csv',
  '/snapshot.litellm.json': 'litellm.json',
}

export function exportFiles(db: Db, gate: Gate): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  const copies = new Copies(copiesOfExports)
  const list = readOnceIn(listVersionMs, () => listExports(db))
  // By name and hash.
  const files = new LRUCache<string, ExportFile>({
    maxSize: keptExportsBytesMax,
    sizeCalculation: ({ gzip, brotli }) => 1 + gzip.length + brotli.length,
    fetchMethod: (key) => readExportFile(db, key.slice(65)),
  })
  const send = async (name: string, res: Response): Promise<'none' | void> => {
    const { req } = res
    enterGate(gate, res)
    const sha256 = (await list()).get(name)?.sha256
    if (sha256 === undefined) return 'none'
    allowEverywhere(res)
    const etag = `W/"${sha256.slice(0, 32)}"`
    if (namesEtag(req.headers['if-none-match'], etag)) {
      setCaching(res, etag)
      return void res.status(304).end()
    }
    const file = await files.fetch(`${sha256} ${name}`)
    if (file === undefined) throw notMade()
    res.locals.leaveGate?.()
    const whole = async () => {
      setCaching(res, etag)
      res.setHeader('Content-Type', typeOfExport(name))
      await sendFile(res, file)
      return res.writableFinished
    }
    if (req.method === 'HEAD') return void (await whole())
    await copies.run(findNetwork(req.ip ?? ''), file.gzip.length, whole)
  }
  router.use(
    [...Object.keys(aliases), '/exports/:name'],
    atPace(paceOfExports.network, ({ ip = '' }) => findNetwork(ip)),
    atPace(paceOfExports.all, () => 'all'),
  )
  for (const [path, name] of Object.entries(aliases))
    router.get(path, async (_req, res) => {
      if ((await send(name, res)) === 'none') throw notMade()
    })
  router.get('/exports/:name', async (req, res, next) => {
    if ((await send(req.params.name, res)) !== 'none') return
    if ((await list()).size === 0) throw notMade()
    next()
  })
  return router
}

function notMade(): ApiError {
  return new ApiError('service_unavailable', {
    message: 'The file is being made. Ask again in a few seconds.',
    cause: new NotLetIn('no exports yet'),
  })
}

async function sendFile(res: Response, { name, bytes, gzip, brotli }: ExportFile): Promise<void> {
  const isPlain = isCompressed(name)
  const coding = isPlain ? 'identity' : codingFor(res.req.headers['accept-encoding'])
  const packed = coding === 'br' ? brotli : gzip
  res.setHeader('Content-Length', coding === 'identity' ? bytes : packed.length)
  if (coding !== 'identity') res.setHeader('Content-Encoding', coding)
  if (res.req.method === 'HEAD') return void res.end()
  const content = Readable.from(slices(packed))
  const plain = coding === 'identity' && !isPlain ? [createGunzip()] : []
  await pipeline([content, ...plain, res]).catch((error: unknown) => {
    // A client that goes away is no failure of ours.
    if (!res.destroyed) throw error
  })
}

const sliceBytes = 64 * 1_024

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let begin = 0; begin < bytes.length; begin += sliceBytes)
    yield bytes.subarray(begin, begin + sliceBytes)
}
