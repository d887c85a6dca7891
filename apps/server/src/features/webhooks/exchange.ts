import type { IncomingHttpHeaders } from 'node:http'

// What went over the line in an attempt, as far as it is kept. An endpoint may answer anything: what is kept of it is
// short, and text that does nothing.

/** The beginning of an endpoint's answer. */
export interface KeptAnswer {
  headers: Record<string, string>
  body: string
  /** Whether the endpoint sent more, or was still sending. */
  isCut: boolean
}

export interface Exchange {
  url: string
  /** As they were sent, in their order. */
  requestHeaders: Record<string, string>
  /** SHA-256 of the request's body, in hex. */
  bodyHash: string
  /** Null when no answer came. */
  answer: KeptAnswer | null
}

/** How much of an answer's body is kept. */
export const keptBytesMax = 1_024
const headerLengthMax = 200

/** Headers that tell an owner which program answered, and why so. None of them carries a credential. */
const keptHeaders = [
  'content-type',
  'content-length',
  'date',
  'server',
  'via',
  'location',
  'retry-after',
  'allow',
  'www-authenticate',
  'x-request-id',
  'cf-ray',
  'x-amzn-requestid',
  'x-vercel-id',
] as const

/** Collects the beginning of an answer while it comes. */
export class AnswerKeeper {
  readonly #headers: Record<string, string>
  readonly #chunks: Uint8Array[] = []
  #bytes = 0
  #isCut = false

  constructor(headers: IncomingHttpHeaders) {
    this.#headers = keepHeaders(headers)
  }

  take(chunk: Uint8Array): void {
    const room = keptBytesMax - this.#bytes
    if (chunk.byteLength > room) this.#isCut = true
    if (room <= 0) return
    // A copy: the chunk is a view of a larger buffer, which is used again.
    const part = Uint8Array.from(chunk.subarray(0, room))
    this.#chunks.push(part)
    this.#bytes += part.byteLength
  }

  /** @param isWhole whether the endpoint came to its end */
  end(isWhole: boolean): KeptAnswer {
    // A character that the end of what is kept cuts in two is left out; what is no UTF-8 shows as such.
    const text = new TextDecoder().decode(Buffer.concat(this.#chunks), { stream: true })
    return { headers: this.#headers, body: inert(text), isCut: this.#isCut || !isWhole }
  }
}

function keepHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    keptHeaders.flatMap((name) => {
      const value = headers[name]
      if (value === undefined) return []
      const text = Array.isArray(value) ? value.join(', ') : String(value)
      return [[name, inert(text).slice(0, headerLengthMax).toWellFormed()]]
    }),
  )
}

// Control characters but tab and newline; those that turn the direction of text; what is no character.
const harmful = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\ufeff]/g

/** Text that shows what it is wherever it is shown: on a page, in a terminal, in a log. */
export function inert(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(harmful, '')
}
