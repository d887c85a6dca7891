import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** A loopback server with one price file, that answers conditional requests as file servers do. */
export interface PriceSite {
  url: string
  /** The status of each answer so far. */
  statuses: number[]
  /** Most requests that it has answered at a time. */
  atOnceMax: () => number
  /** Sets its answer: a file of LiteLLM's form, any text, or a failure. */
  serve: (content: Record<string, unknown> | string | number) => void
  /** Sent with its answers; null: none is. */
  lastModified: string | null
  close: () => Promise<void>
}

/** @param delayMs how long each answer takes */
export async function startPriceSite(delayMs = 0): Promise<PriceSite> {
  let content: Record<string, unknown> | string | number = 404
  let atOnce = 0
  let most = 0
  const statuses: number[] = []
  const answer = (match: string | undefined) => {
    if (typeof content === 'number') return { status: content, headers: {}, body: '' }
    const body = typeof content === 'string' ? content : JSON.stringify(content)
    const etag = `"${createHash('sha256').update(body).digest('hex')}"`
    return match === etag
      ? { status: 304, headers: { etag }, body: '' }
      : { status: 200, headers: { etag }, body }
  }
  const server = createServer((request, response) => {
    atOnce += 1
    most = Math.max(most, atOnce)
    void setTimeout(delayMs).then(() => {
      atOnce -= 1
      const { status, headers, body } = answer(request.headers['if-none-match'])
      statuses.push(status)
      const { lastModified } = site
      response.writeHead(status, {
        ...headers,
        ...(lastModified !== null && { 'last-modified': lastModified }),
      })
      response.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const site: PriceSite = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/prices.json`,
    statuses,
    lastModified: null,
    atOnceMax: () => most,
    serve: (next) => {
      content = next
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return site
}

/** A file of LiteLLM's form: USD per million tokens of input and output, by model of a maker. */
export function litellmFile(
  prices: Record<string, readonly [input: number, output: number]>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(prices).map(([key, [input, output]]) => [
      key,
      {
        litellm_provider: key.includes('/') ? key.split('/')[0] : 'openai',
        mode: 'chat',
        input_cost_per_token: `${input}e-6`,
        output_cost_per_token: `${output}e-6`,
      },
    ]),
  )
}
