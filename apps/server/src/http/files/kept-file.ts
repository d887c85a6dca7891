import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import type { OpenFile } from '../../snapshot/make-file.ts'
import { codingFor } from '../pipeline/codings.ts'

const chunkBytes = 64 * 1_024

/** A large file on the disk, as it is and compressed, that is sent to many: memory holds a chunk for each of them. */
export class KeptFile {
  readonly #identity: OpenFile
  readonly #gzip: OpenFile
  #readers = 0
  #isRetired = false

  constructor({ identity, gzip }: { identity: OpenFile; gzip: OpenFile }) {
    this.#identity = identity
    this.#gzip = gzip
  }

  /** Sends the file. The caller has set any further headers. */
  async send(res: Response, type: string): Promise<void> {
    const file = this.#fileFor(res.req.headers)
    const { handle, bytes } = file
    res.setHeader('Content-Type', type)
    res.setHeader('Content-Length', bytes)
    res.vary('Accept-Encoding')
    if (file === this.#gzip) res.setHeader('Content-Encoding', 'gzip')
    // The work is done: what follows is the client's time.
    res.locals.leaveGate?.()
    if (res.req.method === 'HEAD') return void res.end()
    this.#readers += 1
    try {
      const content = handle.createReadStream({ start: 0, autoClose: false, highWaterMark: chunkBytes })
      await pipeline(content, res)
    } catch (error) {
      // A client that goes away is no failure of ours.
      if (!res.destroyed) throw error
    } finally {
      this.#readers -= 1
      await this.#closeWhenUnread()
    }
  }

  /** It is asked for no more: it goes when those who are reading it have it. */
  async retire(): Promise<void> {
    this.#isRetired = true
    await this.#closeWhenUnread()
  }

  #fileFor(headers: Request['headers']): OpenFile {
    return codingFor(headers['accept-encoding']) === 'identity' ? this.#identity : this.#gzip
  }

  async #closeWhenUnread(): Promise<void> {
    if (!this.#isRetired || this.#readers > 0) return
    await this.#identity.handle.close()
    await this.#gzip.handle.close()
  }
}
