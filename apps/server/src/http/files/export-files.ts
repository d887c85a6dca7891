import { extname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import express, { type Response, type Router } from 'express'
import type { Db } from '../../database/connect.ts'
import {
  isCompressed,
  listExportFiles,
  readExportFile,
  type ExportFile,
} from '../../features/prices/export-store.ts'
import { findNetwork } from '../../platform/network.ts'
import { readOnceIn } from '../../platform/versioned.ts'
import { copiesOfExports, listVersionMs, paceOfExports } from '../limits/index.ts'
import { codingFor } from '../pipeline/codings.ts'
import { ApiError } from '../pipeline/errors.ts'
import { namesEtag } from '../pipeline/etag.ts'
import { atPace } from '../pipeline/pace.ts'
import { enterGate, NotLetIn, type Gate } from '../pipeline/shed.ts'
import { Copies } from './copies.ts'
import { allowEverywhere, setCaching } from './public-headers.ts'

// The price list as other programs load it (decision 025). Workers make the files; here is only what sends them.

/** Addresses that programs ask for by themselves, and that of an earlier release. */
const aliases: Readonly<Record<string, string>> = {
  '/models.dev/api.json': 'models.dev.json',
  '/snapshot.litellm.json': 'litellm.json',
}

export function exportFiles(db: Db, gate: Gate): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  const copies = new Copies(copiesOfExports)
  const files = new ExportCache(db)
  const send = async (name: string, res: Response): Promise<'none' | void> => {
    const { req } = res
    enterGate(gate, res)
    const sha256 = (await files.list()).get(name)
    if (sha256 === undefined) return 'none'
    allowEverywhere(res)
    const etag = `W/"${sha256.slice(0, 32)}"`
    if (namesEtag(req.headers['if-none-match'], etag)) {
      setCaching(res, etag)
      return void res.status(304).end()
    }
    const file = await files.read(name, sha256)
    res.locals.leaveGate?.()
    const whole = async () => {
      setCaching(res, etag)
      res.setHeader('Content-Type', typeOf(name))
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
    if ((await files.list()).size === 0) throw notMade()
    next()
  })
  return router
}

const types: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.csv': 'text/csv; charset=utf-8',
  '.parquet': 'application/vnd.apache.parquet',
  '.sqlite': 'application/vnd.sqlite3',
  '.sig': 'application/octet-stream',
  '.pem': 'application/x-pem-file',
}

function typeOf(name: string): string {
  return types[extname(name)] ?? 'text/plain; charset=utf-8'
}

function notMade(): ApiError {
  return new ApiError('service_unavailable', {
    message: 'The file is being made. Ask again in a few seconds.',
    cause: new NotLetIn('no exports yet'),
  })
}

/** The files that were asked for, each in memory once: all of them are a few megabytes. */
class ExportCache {
  readonly #db: Db
  readonly #files = new Map<string, { sha256: string; file: Promise<ExportFile> }>()
  readonly list: () => Promise<ReadonlyMap<string, string>>

  constructor(db: Db) {
    this.#db = db
    this.list = readOnceIn(listVersionMs, () => listExportFiles(db))
  }

  async read(name: string, sha256: string): Promise<ExportFile> {
    const kept = this.#files.get(name)
    if (kept?.sha256 === sha256) return kept.file
    const file = readExportFile(this.#db, name).then((found) => {
      if (found === undefined) throw notMade()
      return found
    })
    this.#files.set(name, { sha256, file })
    file.catch(() => this.#files.delete(name))
    return file
  }
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
