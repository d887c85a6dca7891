import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verifyResult } from '@ratecard/webhooks'

// Without an adapter: the raw body, the headers, and an answer at once. The work comes after it.

const secret = process.env.RATECARD_WEBHOOK_SECRET
/** Changes already seen. A delivery may come twice; in earnest this is a table with a unique key. */
const seen = new Set<string>()

/** Verifies a delivery and answers which status it gets. */
async function receive(request: IncomingMessage): Promise<number> {
  // Whatever reads your bodies should bound them; an adapter does it by itself.
  if (Number(request.headers['content-length'] ?? Infinity) > 1_048_576) return 413
  const result = await verifyResult(await buffer(request), request.headers, { secret })
  if (!result.ok) {
    console.error(result.error.code, result.error.hint)
    return result.error.status
  }
  for (const change of result.event.changes) {
    if (seen.has(change.id)) continue
    seen.add(change.id)
    console.log(`${change.category}  ${change.title}`)
  }
  return 204
}

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    // The sender went away, or the work failed: it is sent again.
    () => response.writeHead(500).end(),
  )
})
server.listen(process.env.PORT ?? 3000, () => console.log('listening on', server.address()))
