import { createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { version } from '../version.ts'
import type { Receiver } from './arguments.ts'
import { oneLine } from './output.ts'

/** A delivery, as a receiver gets it. */
export interface Delivery {
  id: string
  attempt: number
  body: string
  isTest?: boolean
  /** Signs in place of the receiver's secret. */
  secret?: string
  /** The body comes in pieces over a second. */
  slow?: boolean
}

/** How a receiver took it. */
export interface Outcome {
  /** Null: no answer, and `said` is why. */
  status: number | null
  isTaken: boolean
  /** Nobody listens there: it may be starting. */
  isAbsent: boolean
  tookMs: number
  said: string
}

/** As the service waits. */
const timeoutMs = 10_000
const saidBytesMax = 4_096

export async function send(
  { url, secret }: Receiver,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Outcome> {
  const { id, attempt, body, isTest = false, slow = false } = delivery
  const startedMs = performance.now()
  const outcome = (status: number | null, said: string, isAbsent = false): Outcome => ({
    status,
    isTaken: status !== null && status >= 200 && status <= 299,
    isAbsent,
    tookMs: Math.round(performance.now() - startedMs),
    said: oneLine(said),
  })
  try {
    const bytes = new TextEncoder().encode(body)
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': `Ratecard-Webhooks/${version}`,
        'x-svc-delivery': id,
        'x-svc-attempt': String(attempt),
        'x-svc-signature': `sha256=${createHmac('sha256', delivery.secret ?? secret)
          .update(bytes)
          .digest('hex')}`,
        ...(isTest && { 'x-svc-test': 'true' }),
      },
      ...(slow ? { body: splitPieces(bytes), duplex: 'half' } : { body: bytes }),
    })
    return outcome(response.status, await readBeginning(response))
  } catch (error) {
    if (signal.aborted) throw error
    const { code } =
      (error instanceof Error ? (error.cause as { code?: string } | undefined) : undefined) ?? {}
    if (error instanceof DOMException) return outcome(null, `no answer in ${timeoutMs / 1_000} s`)
    return outcome(null, code ?? String(error), code === 'ECONNREFUSED')
  }
}

/** Enough to say why it was refused. An answer may have no end. */
async function readBeginning(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  const body: AsyncIterable<Uint8Array> | null = response.body
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > saidBytesMax) break
  }
  return text
}

function splitPieces(bytes: Uint8Array): ReadableStream<Uint8Array> {
  const pieces = 5
  const size = Math.ceil(bytes.length / pieces)
  let piece = 0
  return new ReadableStream({
    pull: async (controller) => {
      await setTimeout(1_000 / pieces)
      controller.enqueue(bytes.subarray(piece * size, (piece += 1) * size))
      if (piece === pieces) controller.close()
    },
  })
}
