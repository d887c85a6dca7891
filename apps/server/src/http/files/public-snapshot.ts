import type { Db } from '../../database/connect.ts'
import { readPriceVersion } from '../../features/prices/price-store.ts'
import { readVersion } from '../../platform/version.ts'
import { readOnceIn, Versioned } from '../../platform/versioned.ts'
import { makeFile } from '../../snapshot/make-file.ts'
import { listVersionMs, restFactor } from '../limits/index.ts'
import { ApiError } from '../pipeline/errors.ts'
import { NotLetIn } from '../pipeline/shed.ts'
import { KeptFile } from './kept-file.ts'

interface SnapshotOptions {
  /** The version of the list of prices. */
  readListVersion: () => Promise<string>
  /** Makes the file, apart from the requests that are served. */
  make: () => Promise<KeptFile>
  nowMs?: () => number
}

interface Made {
  version: string
  file: KeptFile
}

/** How long a request waits for the file while it is being made; who waits longer is told to come again. */
const waitMsMax = 20_000
const waitingMax = 20
const dayMs = 86_400_000

/**
 * The file with all prices as anybody may have it. It is made when somebody asks for it, once for each version of the
 * list, process and day: who says so, and since when, moves without any price.
 */
export class PublicSnapshot {
  readonly #file: Versioned<Made>
  readonly #readVersion: () => Promise<string>
  #waiting = 0
  #isClosed = false

  constructor({ readListVersion, make, nowMs = Date.now }: SnapshotOptions) {
    this.#readVersion = readOnceIn(
      listVersionMs,
      async () => `${await readListVersion()}-${Math.floor(nowMs() / dayMs)}`,
      nowMs,
    )
    this.#file = new Versioned<Made>({
      ...{ restFactor, nowMs },
      make: async (version) => {
        const file = await make()
        if (this.#isClosed) await file.retire()
        return { version, file }
      },
      isAtLeast: (kept, wanted) => kept === wanted,
      retire: ({ file }) => file.retire(),
    })
  }

  /** The tag of the file that one would get now, without making it. */
  async etag(): Promise<string> {
    const version = await this.#readVersion()
    return formatEtag(this.#file.find(version)?.version ?? version)
  }

  /** @throws ApiError (503) while the file is being made for too long, or too many wait for it */
  async find(): Promise<{ etag: string; file: KeptFile }> {
    const version = await this.#readVersion()
    const { version: made, file } = this.#file.find(version) ?? (await this.#wait(version))
    return { etag: formatEtag(made), file }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#file.retire()
  }

  async #wait(version: string): Promise<Made> {
    if (this.#waiting >= waitingMax) throw beingMade('too many wait for a file')
    this.#waiting += 1
    const { promise: late, resolve } = Promise.withResolvers<null>()
    const timer = setTimeout(() => resolve(null), waitMsMax)
    try {
      const making = this.#file.read(version)
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

export function createPublicSnapshot({
  db,
  connectionString,
}: {
  db: Db
  connectionString: string
}): PublicSnapshot {
  return new PublicSnapshot({
    readListVersion: () => readPriceVersion(db),
    make: async () => new KeptFile(await makeFile(connectionString)),
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
