import type { Db } from '../../database/connect.ts'
import { readPriceVersion } from '../../catalog/price-table.ts'
import { KeyedSemaphore } from '../../platform/keyed-semaphore.ts'
import { readVersion } from '../../platform/version.ts'
import { readOnceIn, Versioned } from '../../platform/versioned.ts'
import { makeFile } from '../../snapshot/make-file.ts'
import { listVersionMs, restFactor } from '../limits/index.ts'
import { ApiError } from '../pipeline/errors.ts'
import { NotLetIn } from '../pipeline/shed.ts'
import { KeptFile } from './kept-file.ts'

/** The files with all prices, with the words of the operator and of all sources. */
export const fileForms = {
  json: { name: 'ratecard-prices.json', type: 'application/json' },
  jsonl: { name: 'ratecard-prices.jsonl', type: 'application/x-ndjson' },
  csv: { name: 'ratecard-prices.csv', type: 'text/csv; charset=utf-8' },
  sqlite: { name: 'ratecard-prices.sqlite', type: 'application/vnd.sqlite3' },
} as const
export type FileForm = keyof typeof fileForms

interface PriceFilesOptions {
  /** The version of the list of prices. */
  readListVersion: () => Promise<string>
  /** Makes a file, apart from the requests that are served. */
  make: (form: FileForm) => Promise<KeptFile>
  nowMs?: () => number
}

interface Made {
  version: string
  file: KeptFile
}

/** How long a request waits for a file that is being made; who waits longer is told to come again. */
const waitMsMax = 20_000
const waitingMax = 20
/** Files wait for each other: all of them take half a minute. */
const turn = { max: 1, timeoutMs: 5 * 60_000 }
const dayMs = 86_400_000

/**
 * The files with all prices. Each is made when somebody asks for it, once for each version of the list, process and day:
 * who says so, and since when, moves without any price. One is made at a time.
 */
export class PriceFiles {
  readonly #files: Record<FileForm, Versioned<Made>>
  readonly #readVersion: () => Promise<string>
  #waiting = 0
  #isClosed = false

  constructor({ readListVersion, make, nowMs = Date.now }: PriceFilesOptions) {
    this.#readVersion = readOnceIn(
      listVersionMs,
      async () => `${await readListVersion()}-${Math.floor(nowMs() / dayMs)}`,
      nowMs,
    )
    const turns = new KeyedSemaphore(turn)
    const versionedOf = (form: FileForm) =>
      new Versioned<Made>({
        ...{ restFactor, nowMs },
        inTurn: (work) => turns.run('file', work),
        make: async (version) => {
          const file = await make(form)
          if (this.#isClosed) await file.retire()
          return { version, file }
        },
        isAtLeast: (kept, wanted) => kept === wanted,
        retire: ({ file }) => file.retire(),
      })
    const forms = Object.keys(fileForms) as FileForm[]
    const files = forms.map((form) => [form, versionedOf(form)] as const)
    this.#files = Object.fromEntries(files) as Record<FileForm, Versioned<Made>>
  }

  /** The tag of the file that one would get now, without making it. */
  async etag(form: FileForm): Promise<string> {
    const version = await this.#readVersion()
    return formatEtag(this.#files[form].find(version)?.version ?? version)
  }

  /** @throws ApiError (503) while the file is being made for too long, or too many wait for it */
  async find(form: FileForm): Promise<{ etag: string; file: KeptFile }> {
    const version = await this.#readVersion()
    const { version: made, file } = this.#files[form].find(version) ?? (await this.#wait(form, version))
    return { etag: formatEtag(made), file }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(Object.values(this.#files).map((file) => file.retire()))
  }

  async #wait(form: FileForm, version: string): Promise<Made> {
    if (this.#waiting >= waitingMax) throw beingMade('too many wait for a file')
    this.#waiting += 1
    const { promise: late, resolve } = Promise.withResolvers<null>()
    const timer = setTimeout(() => resolve(null), waitMsMax)
    try {
      const making = this.#files[form].read(version)
      // The request may have timed out by the time that it fails.
      making.catch(() => undefined)
      const made = await Promise.race([making, late])
      if (made === null) throw beingMade('a file takes long to be made')
      return made
    } finally {
      clearTimeout(timer)
      this.#waiting -= 1
    }
  }
}

export function createPriceFiles({ db, connectionString }: { db: Db; connectionString: string }): PriceFiles {
  return new PriceFiles({
    readListVersion: () => readPriceVersion(db),
    make: async (form) => new KeptFile(await makeFile(connectionString, form)),
  })
}

/** Weak: two processes write the same prices with another `generated_at`. A newer program may write more of them. */
function formatEtag(version: string): string {
  return `W/"${version}-${readVersion()}"`
}

function beingMade(reason: string): ApiError {
  return new ApiError('service_unavailable', {
    message: 'The file is being made. Ask again in a few seconds.',
    cause: new NotLetIn(reason),
  })
}
