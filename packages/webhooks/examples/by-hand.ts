import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verifyResult } from '@ratecard/webhooks'

// Without an adapter: the raw body, the headers, and an answer at once. The work comes after it.

const secret = process.env.RATECARD_WEBHOOK_SECRET ?? ''
/** Changes already seen. A delivery may come twice; in earnest this is a table with a unique key. */
const seen = new Set<string>()

const server = createServer((request, response) => {
  void (async () => {
    const result = await verifyResult(await buffer(request), request.headers, { secret })
    if (!result.ok) {
      console.error(result.error.code, result.error.hint)
      response.writeHead(result.error.status).end()
      return
    }
    response.writeHead(204).end()
    for (const change of result.event.changes) {
      if (seen.has(change.id)) continue
      seen.add(change.id)
      console.log(`${change.category}  ${change.title}`)
    }
  })()
})
server.listen(process.env.PORT ?? 3000, () => console.log('listening on', server.address()))
