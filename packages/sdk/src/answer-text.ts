import type { FetchResponse } from './options.ts'

/** The part of a web stream that reading needs. */
interface Reader {
  read(): Promise<{ done: boolean; value?: Uint8Array }>
  cancel(): Promise<void>
}

/** What was read of a body. */
export interface AnswerText {
  text: string
  /** False when there was more than allowed. The rest was not read, and the body was cancelled. */
  whole: boolean
}

/** Reads the body of an answer, at most so many bytes of it. */
export async function readText(response: FetchResponse, maxBytes: number): Promise<AnswerText> {
  const body = response.body as { getReader?: () => Reader } | null | undefined
  if (!body?.getReader) {
    // A `fetch` of another kind. Its text has been read whole before it can be measured.
    const text = await response.text()
    return { text: text.slice(0, maxBytes), whole: text.length <= maxBytes }
  }
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let left = maxBytes; ;) {
    const { value } = await reader.read()
    if (value === undefined) return { text: text + decoder.decode(), whole: true }
    text += decoder.decode(value.subarray(0, left), { stream: true })
    left -= value.byteLength
    if (left < 0) {
      reader.cancel().catch(() => {})
      return { text, whole: false }
    }
  }
}
