import type { RequestListener, ServerResponse } from 'node:http'

/** How long requests without credentials are begun before those with them have their turn. */
const turnMs = 2

/**
 * Begins the work of requests: of those with credentials at once, of all others in the order in which they came, a few
 * at a time. What many strangers ask for in one moment is work of a tenth of a second, and no customer waits behind it.
 */
export class Turns {
  readonly #handle: RequestListener
  readonly #waiting: ServerResponse[] = []

  constructor(handle: RequestListener) {
    this.#handle = handle
  }

  begin(res: ServerResponse): void {
    if (hasCredentials(res)) return this.#handle(res.req, res)
    this.#waiting.push(res)
    if (this.#waiting.length === 1) setImmediate(() => this.#work())
  }

  #work(): void {
    const endMs = performance.now() + turnMs
    do {
      const res = this.#waiting.shift()
      // It may have broken off or been answered since.
      if (res && !res.writableEnded && !res.destroyed) this.#handle(res.req, res)
    } while (this.#waiting.length > 0 && performance.now() < endMs)
    if (this.#waiting.length > 0) setImmediate(() => this.#work())
  }
}

/** The name as programs write it: whoever writes it in another way waits for its turn, and is served as well. */
function hasCredentials({ req: { rawHeaders } }: ServerResponse): boolean {
  return rawHeaders.includes('Authorization') || rawHeaders.includes('authorization')
}
