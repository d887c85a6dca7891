import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGunzip, gunzip } from 'node:zlib'
import express, { type Response, type Router } from 'express'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../database/connect.ts'
import {
  isCompressed,
  listExports,
  readExportFile,
  snapshotName,
  toMediaType,
  type ExportFile,
} from '../../catalog/export-store.ts'
import { findNetwork } from '../../platform/network.ts'
import { readOnceIn } from '../../platform/versioned.ts'
import { copiesOfExports, keptExportsBytesMax, listVersionMs, paceOfExports } from '../limits/index.ts'
import { codingFor } from '../pipeline/codings.ts'
import { ApiError } from '../pipeline/errors.ts'
import { namesEtag } from '../pipeline/etag.ts'
import { atPace } from '../pipeline/pace.ts'
import { SharedFile } from '../pipeline/shared-file.ts'
import { enterGate, NotLetIn, type Gate } from '../pipeline/shed.ts'
import { Copies } from './copies.ts'

// The price list for programs without a key (decision 025): a stable address, to be asked conditionally. Workers make
// the files; here is only what sends them.

/** Addresses that programs ask for by themselves, one that people guess, and that of an earlier release. */
const aliases: Readonly<Record<string, string>> = {
  '/models.dev/api.json': 'models.dev.json',
  '/prices.csv': 'prices.csv',
  '/snapshot.json': snapshotName,
  '/snapshot.litellm.json': 'litellm.json',
}

export function exportFiles(db: Db, gate: Gate): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  const copies = new Copies(copiesOfExports)
  const copiesOfSnapshot = new Copies()
  const list = readOnceIn(listVersionMs, () => listExports(db))
  // By name and hash.
  const files = new LRUCache<string, ExportFile>({
    maxSize: keptExportsBytesMax,
    sizeCalculation: ({ gzip, brotli }) => 1 + gzip.length + brotli.length,
    fetchMethod: (key) => readExportFile(db, key.slice(65)),
  })
  const send = async (name: string, res: Response): Promise<'none' | void> => {
    const { req } = res
    const entry = (await list()).get(name)
    if (entry === undefined) return 'none'
    const { sha256, made_at } = entry
    allowEverywhere(res)
    const etag = `W/"${sha256.slice(0, 32)}"`
    const setCaching = () => {
      res.setHeader('Cache-Control', 'public, max-age=300, stale-while-revalidate=3600')
      res.setHeader('ETag', etag)
      res.setHeader('Last-Modified', new Date(made_at).toUTCString())
      res.vary('Accept-Encoding')
    }
    if (namesEtag(req.headers['if-none-match'], etag)) {
      setCaching()
      return void res.status(304).end()
    }
    // Who only asks whether it has moved is let in at a pace, and waits for one question to the database.
    enterGate(gate, res)
    const file = await files.fetch(`${sha256} ${name}`)
    if (file === undefined) throw notMade()
    res.locals.leaveGate?.()
    const whole = async () => {
      setCaching()
      res.setHeader('Content-Type', toMediaType(name))
      await sendFile(res, file)
      return res.writableFinished
    }
    if (req.method === 'HEAD') return void (await whole())
    const bounds = name === snapshotName ? copiesOfSnapshot : copies
    await bounds.run(findNetwork(req.ip ?? ''), file.gzip.length, whole)
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
  const schema = new SharedFile('application/schema+json', readFileSync(schemaPath))
  router.get('/snapshot.schema.json', (_req, res) => {
    enterGate(gate, res)
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

/**
 * The snapshot as JSON in bytes of its own, with its hash; null: it is the one that is known.
 * @throws ApiError (503) before the first is made
 */
export async function readSnapshotFile(
  db: Db,
  known: string | null,
): Promise<{ sha256: string; content: Uint8Array<ArrayBuffer> } | null> {
  const entry = (await listExports(db)).get(snapshotName)
  if (entry?.sha256 === known) return null
  const file = entry && (await readExportFile(db, snapshotName))
  if (file === undefined) throw notMade()
  return { sha256: file.sha256, content: new Uint8Array(await promisify(gunzip)(file.gzip)) }
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
