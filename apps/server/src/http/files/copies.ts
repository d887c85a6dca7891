import { RateLimiter } from '../../platform/rate-limiter.ts'
import { copies } from '../limits/index.ts'
import { ApiError } from '../pipeline/errors.ts'
import { NotLetIn } from '../pipeline/shed.ts'

/** Copies that are being sent. One that its client does not take to the end is not counted. */
export class Copies {
  readonly #bytesMax: typeof copies.bytesMax
  readonly #ofNetwork: RateLimiter
  readonly #bytes = new Map<string, number>()
  #allBytes = 0

  constructor({ perMinute, bytesMax }: typeof copies = copies) {
    this.#bytesMax = bytesMax
    this.#ofNetwork = new RateLimiter({ perMinute })
  }

  /**
   * @param send returns whether the client has taken it all
   * @throws ApiError (503) when a network, or all of them together, take too much
   */
  async run(network: string, bytes: number, send: () => Promise<boolean>): Promise<void> {
    const ofNetwork = this.#bytes.get(network) ?? 0
    if (isTooMuch(ofNetwork, bytes, this.#bytesMax.network)) throw refusal(5)
    if (isTooMuch(this.#allBytes, bytes, this.#bytesMax.all)) throw refusal(5)
    const seconds = this.#ofNetwork.take(network)
    if (seconds > 0) throw refusal(seconds)
    this.#add(network, bytes)
    let isWhole = false
    try {
      isWhole = await send()
    } finally {
      this.#add(network, -bytes)
      if (!isWhole) this.#ofNetwork.giveBack(network)
    }
  }

  #add(network: string, bytes: number): void {
    this.#allBytes += bytes
    const sum = (this.#bytes.get(network) ?? 0) + bytes
    if (sum === 0) this.#bytes.delete(network)
    else this.#bytes.set(network, sum)
  }
}

/** One copy is sent however large it is. */
function isTooMuch(before: number, bytes: number, max: number): boolean {
  return before > 0 && before + bytes > max
}

function refusal(seconds: number): ApiError {
  return new ApiError('service_unavailable', {
    message: `The file was sent too often. Ask again in ${seconds} seconds, with If-None-Match and the ETag of the copy that you have.`,
    headers: { 'Retry-After': String(seconds) },
    cause: new NotLetIn('too many copies of a file'),
  })
}
