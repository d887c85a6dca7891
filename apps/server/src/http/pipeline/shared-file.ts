import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import compressible from 'compressible'
import type { Response } from 'express'
import { EncodedBody } from './encoded-body.ts'

/** To hand 100 MB for a hundred clients to the system takes 0.2 s, in which no other request would be served. */
const sliceBytes = 64 * 1_024

/** A file that is sent to many. */
export class SharedFile {
  readonly #type: string
  readonly #isCompressible: boolean
  readonly #body: EncodedBody

  /** @param type the `Content-Type` */
  constructor(type: string, content: Buffer | string) {
    this.#type = type
    this.#isCompressible = compressible(type) === true
    this.#body = new EncodedBody(Buffer.from(content))
  }

  /** Sends the body. The caller has set any further headers. */
  async send(res: Response): Promise<void> {
    const { coding, bytes } = await this.#body.encodedFor(
      this.#isCompressible ? res.req.headers['accept-encoding'] : undefined,
    )
    res.setHeader('Content-Type', this.#type)
    res.setHeader('Content-Length', bytes.length)
    if (this.#isCompressible) res.vary('Accept-Encoding')
    if (coding !== 'identity') res.setHeader('Content-Encoding', coding)
    if (bytes.length <= sliceBytes || res.req.method === 'HEAD') res.end(bytes)
    else sendSlices(res, bytes)
  }
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.map': 'application/json; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
}

/** Files of a folder: each is read when it is asked for first. What is not there yet is looked for again. */
export class SharedFolder {
  readonly #folder: string
  readonly #files = new Map<string, SharedFile>()

  constructor(folder: string) {
    this.#folder = folder
  }

  async read(name: string): Promise<SharedFile | null> {
    const known = this.#files.get(name)
    if (known) return known
    const bytes = await readFile(join(this.#folder, name)).catch(() => null)
    if (!bytes) return null
    const file =
      this.#files.get(name) ?? new SharedFile(types[extname(name)] ?? 'application/octet-stream', bytes)
    this.#files.set(name, file)
    return file
  }
}

/** Sends a large body bit by bit, as the client takes it, with time for others between two slices. */
function sendSlices(res: Response, bytes: Buffer): void {
  // The work is done: what follows is the client's time.
  res.locals.leaveGate?.()
  let begin = 0
  const sendNext = () => {
    if (res.destroyed) return
    const slice = bytes.subarray(begin, begin + sliceBytes)
    begin += sliceBytes
    if (begin >= bytes.length) res.end(slice)
    else if (res.write(slice)) setImmediate(sendNext)
    else res.once('drain', sendNext)
  }
  sendNext()
}
