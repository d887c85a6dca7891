import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { isTracing, startSpan, withinSpan, type Span } from '../../platform/tracing.ts'
import type { ReadForwarded } from './forwarded.ts'

const spans = new WeakMap<ServerResponse, Span>()

/** Begins a span with each request, where requests are traced. `endRequestSpan` ends it. */
export function traceRequests(handle: RequestListener, readForwarded: ReadForwarded): RequestListener {
  if (!isTracing()) return handle
  return (req: IncomingMessage, res: ServerResponse) => {
    const { parent } = readForwarded(req)
    const method = cleanMethod(req.method)
    const span = startSpan({
      // Until it is known what is asked. An address may have a key in it: it is never the name.
      name: method,
      kind: 'server',
      parent: parent ?? 'none',
      attributes: { 'http.request.method': method },
    })
    if (span) spans.set(res, span)
    withinSpan(span, () => void handle(req, res))
  }
}

/** The trace of a request, for its line in the log. */
export function findTraceId(res: ServerResponse): string | undefined {
  return spans.get(res)?.traceId
}

/** Once it is answered, or its client has gone. */
export function endRequestSpan(
  res: ServerResponse,
  { requestId, operation, status, error }: RequestOutcome,
): void {
  const span = spans.get(res)
  if (!span) return
  const method = cleanMethod(res.req.method)
  if (operation !== undefined) span.rename(`${method} ${operation}`)
  span.set({
    'ratecard.request_id': requestId,
    'ratecard.operation': operation,
    'http.response.status_code': status,
    'error.type': error,
  })
  if (status >= 500) span.fail(error ?? String(status))
  span.end()
}

interface RequestOutcome {
  requestId: string
  operation: string | undefined
  status: number
  /** The code in the answer, when it is an error. */
  error: string | undefined
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** As the conventions say: a name that a client makes up is none. */
function cleanMethod(method = ''): string {
  return methods.has(method) ? method : '_OTHER'
}
