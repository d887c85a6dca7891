import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as it arrived, with its attributes as an object. */
interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  kind: number
  links: { spanId: string }[]
  attributes: Record<string, unknown>
  /** 2: it failed. */
  status: number | undefined
}

export interface OtlpReceiver {
  url: string
  spans: ReceivedSpan[]
  /** All that came, as text. */
  text: () => string
  headers: IncomingHttpHeaders[]
  services: Set<unknown>
  /** Its answer from now on. */
  answer: (status: number) => void
  close: () => Promise<void>
}

interface Attribute {
  key: string
  value: Record<string, unknown>
}

interface Payload {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: {
      spans: (Omit<ReceivedSpan, 'attributes' | 'status' | 'links'> & {
        attributes: Attribute[]
        links?: { spanId: string }[]
        status?: { code?: number }
      })[]
    }[]
  }[]
}

const valuesOf = (attributes: Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** What operators send traces to: OTLP over HTTP, in JSON. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const bodies: string[] = []
  let status = 200
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      res.writeHead(status, { 'content-type': 'application/json' }).end('{}')
      if (req.url !== '/v1/traces' || status !== 200) return
      const body = Buffer.concat(chunks).toString()
      bodies.push(body)
      receiver.headers.push(req.headers)
      for (const { resource, scopeSpans } of (JSON.parse(body) as Payload).resourceSpans) {
        receiver.services.add(valuesOf(resource.attributes)['service.name'])
        for (const { spans } of scopeSpans)
          receiver.spans.push(
            ...spans.map((span) => ({
              ...span,
              links: span.links ?? [],
              attributes: valuesOf(span.attributes),
              status: span.status?.code,
            })),
          )
      }
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${port}`,
    spans: [],
    text: () => bodies.join('\n'),
    headers: [],
    services: new Set(),
    answer: (next) => (status = next),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}
