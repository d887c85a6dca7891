import { KeyedSemaphore } from '../../platform/keyed-semaphore.ts'
import { readVersion } from '../../platform/version.ts'
import { ApiError } from '../pipeline/errors.ts'
import { NotLetIn } from '../pipeline/shed.ts'
import type { KeptFile } from './kept-file.ts'

/** The files with all prices: the forms of the snapshot, and `open`, its JSON as anybody may have it. */
export const fileForms = {
  json: { name: 'ratecard-prices.json', type: 'application/json' },
  jsonl: { name: 'ratecard-prices.jsonl', type: 'application/x-ndjson' },
  csv: { name: 'ratecard-prices.csv', type: 'text/csv; charset=utf-8' },
  sqlite: { name: 'ratecard-prices.sqlite', type: 'application/vnd.sqlite3' },
  litellm: { name: 'model_prices_and_context_window.json', type: 'application/json' },
  open: { name: 'snapshot.json', type: 'application/json' },
} as const
export type FileForm = keyof typeof fileForms

interface PriceFilesOptions {
  /** The version of the list of prices. */
  readListVersion: () => Promise<string>
  /** Makes a file, apart from the requests that are served. */
  make: (form: FileForm) => Promise<KeptFile>
  nowMs?: () => number
}

interface Kept {
  version: string
  file: KeptFile
  /** No other is made before: an import of many small steps moves the list often. */
  restsUntilMs: number
}

/** How long the database is not asked again whether the list has moved. */
const versionMs = 1_000
/** How long a request waits for a file that is being made; who waits longer is told to come again. */
const waitMsMax = 20_000
const waitingMax = 20
/** After a file is made, its like is not made for so many times as long. */
const restFactor = 10
/** Files wait for each other: all of them take half a minute. */
const turn = { max: 1, timeoutMs: 5 * 60_000 }
const dayMs = 86_400_000

/**
 * The files with all prices. Each is made when somebody asks for it, once for each version of the list, process and day:
 * who says so, and since when, moves without any price. One is made at a time.
 */
export class PriceFiles {
  readonly #options: Required<PriceFilesOptions>
  readonly #kept = new Map<FileForm, Kept>()
  readonly #making = new Map<FileForm, Promise<Kept>>()
  readonly #turn = new KeyedSemaphore(turn)
  #waiting = 0
  #version: { readAtMs: number; version: Promise<string> } | null = null
  #isClosed = false

  constructor(options: PriceFilesOptions) {
    this.#options = { nowMs: Date.now, ...options }
  }

  /** The tag of the file that one would get now, without making it. */
  async etag(form: FileForm): Promise<string> {
    const version = await this.#readVersion()
    return etagOf(this.#usable(form, version)?.version ?? version)
  }

  /** @throws ApiError (503) while the file is being made for too long, or too many wait for it */
  async find(form: FileForm): Promise<{ etag: string; file: KeptFile }> {
    const version = await this.#readVersion()
    const kept = this.#usable(form, version) ?? (await this.#wait(form, version))
    return { etag: etagOf(kept.version), file: kept.file }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#kept.values()].map(({ file }) => file.retire()))
    this.#kept.clear()
  }

  #usable(form: FileForm, version: string): Kept | null {
    const kept = this.#kept.get(form)
    const isOfNow = kept?.version === version || (kept && this.#options.nowMs() < kept.restsUntilMs)
    return isOfNow ? kept : null
  }

  async #wait(form: FileForm, version: string): Promise<Kept> {
    if (this.#waiting >= waitingMax) throw beingMade('too many wait for a file')
    this.#waiting += 1
    const { promise: late, resolve } = Promise.withResolvers<null>()
    const timer = setTimeout(() => resolve(null), waitMsMax)
    try {
      const kept = await Promise.race([this.#make(form, version), late])
      if (kept === null) throw beingMade('a file takes long to be made')
      return kept
    } finally {
      clearTimeout(timer)
      this.#waiting -= 1
    }
  }

  #make(form: FileForm, version: string): Promise<Kept> {
    const known = this.#making.get(form)
    if (known) return known
    const making = this.#turn
      .run('file', async () => {
        const begunAtMs = this.#options.nowMs()
        const file = await this.#options.make(form)
        const endedAtMs = this.#options.nowMs()
        const kept = { version, file, restsUntilMs: endedAtMs + restFactor * (endedAtMs - begunAtMs) }
        const before = this.#kept.get(form)
        if (this.#isClosed) await file.retire()
        else this.#kept.set(form, kept)
        await before?.file.retire()
        return kept
      })
      .finally(() => this.#making.delete(form))
    // Who waited has gone by then, perhaps.
    making.catch(() => undefined)
    this.#making.set(form, making)
    return making
  }

  #readVersion(): Promise<string> {
    const nowMs = this.#options.nowMs()
    const day = Math.floor(nowMs / dayMs)
    if (this.#version && nowMs - this.#version.readAtMs < versionMs) return this.#version.version
    const version = this.#options.readListVersion().then((ofList) => `${ofList}-${day}`)
    this.#version = { readAtMs: nowMs, version }
    version.catch(() => (this.#version = null))
    return version
  }
}

/** Weak: two processes write the same prices with another `generated_at`. A newer program may write more of them. */
function etagOf(version: string): string {
  return `W/"${version}-${readVersion()}"`
}

function beingMade(reason: string): ApiError {
  return new ApiError('service_unavailable', {
    message: 'The file is being made. Ask again in a few seconds.',
    cause: new NotLetIn(reason),
  })
}
