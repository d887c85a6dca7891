import type { RequestListener, ServerResponse } from 'node:http'

/**
 * Begins the work of requests: of those with credentials at once, of all others one after the other in the order in which
 * they came, with all else that the process has to do between them. What many strangers ask for in one moment is work of
 * a tenth of a second, and no customer waits behind it.
 */
export class Turns {
  readonly #handle: RequestListener
  readonly #waiting: ServerResponse[] = []
  #isDue = false

  constructor(handle: RequestListener) {
    this.#handle = handle
  }

  begin(res: ServerResponse): void {
    if (hasCredentials(res)) return this.#handle(res.req, res)
    this.#waiting.push(res)
    this.#plan()
  }

  #plan(): void {
    if (this.#isDue || this.#waiting.length === 0) return
    this.#isDue = true
    setImmediate(() => this.#work())
  }

  #work(): void {
    this.#isDue = false
    let res = this.#waiting.shift()
    // One that broke off or was answered since takes no turn.
    while (res && (res.writableEnded || res.destroyed)) res = this.#waiting.shift()
    if (res) this.#handle(res.req, res)
    this.#plan()
  }
}

/** The name as programs write it: whoever writes it in another way waits for its turn, and is served as well. */
function hasCredentials({ req: { rawHeaders } }: ServerResponse): boolean {
  return rawHeaders.includes('Authorization') || rawHeaders.includes('authorization')
}
