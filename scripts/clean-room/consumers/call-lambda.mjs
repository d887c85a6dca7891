import assert from 'node:assert/strict'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { createTestRequest } from '@ratecard/webhooks'

// Calls the handler of the file in the first argument as API Gateway (payload 1.0 and 2.0) does.

const { handler } = await import(pathToFileURL(process.argv[2]).href)
const delivery = await createTestRequest({ secret: process.env.RATECARD_WEBHOOK_SECRET })

for (const isBase64Encoded of [false, true]) {
  const encoded = (text) => (isBase64Encoded ? Buffer.from(text).toString('base64') : text)
  const first = ({ method, headers, body }) => ({
    version: '1.0',
    httpMethod: method,
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    body: encoded(body),
    isBase64Encoded,
  })
  const second = ({ method, headers, body }) => ({
    version: '2.0',
    requestContext: { http: { method } },
    headers,
    body: encoded(body),
    isBase64Encoded,
  })
  for (const event of [first, second]) {
    assert.equal((await handler(event(delivery))).statusCode, 204)
    assert.equal((await handler(event({ ...delivery, body: `${delivery.body} ` }))).statusCode, 401)
    assert.equal((await handler(event({ ...delivery, headers: {} }))).statusCode, 401)
    assert.equal((await handler(event({ ...delivery, method: 'GET' }))).statusCode, 405)
  }
}
