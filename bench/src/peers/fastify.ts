import fastify from 'fastify'
import pg from 'pg'
import {
  announce,
  dailyLimit,
  given,
  countRequest,
  findKey,
  hasPlan,
  rateLimitHeaders,
  readPage,
  type PageQuery,
} from './peer.ts'

// The same queries in a framework that is made for speed: requests are held against a schema, and answers written by
// one.

const pool = new pg.Pool({ connectionString: given('DATABASE_URL'), max: 10 })
const app = fastify()

const text = { type: 'string', minLength: 1 }
const textOrNull = { type: 'string', nullable: true }
const amount = { type: 'number', nullable: true }
const all = (schema: object, ...names: string[]) => Object.fromEntries(names.map((name) => [name, schema]))
const querystring = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...all(text, 'vendor', 'product', 'platform', 'modality', 'since', 'cursor'),
    limit: { type: 'integer', minimum: 1, maximum: 500 },
  },
}
const price = {
  type: 'object',
  properties: {
    ...all(text, 'resource_id', 'vendor', 'effective_at', 'updated_at'),
    ...all(textOrNull, 'product_id', 'platform', 'modality', 'region', 'unit', 'currency', 'source_url'),
    ...all(amount, 'input_per_mtok', 'output_per_mtok', 'cached_input_per_mtok'),
    ...all(amount, 'image_per_unit', 'audio_per_min', 'video_per_sec'),
  },
}
const page = {
  type: 'object',
  properties: {
    schema_version: { type: 'integer' },
    data: { type: 'array', items: price },
    pagination: { type: 'object', properties: { next_cursor: text } },
  },
}

app.get('/v1/prices', { schema: { querystring, response: { 200: page } } }, async (request, reply) => {
  const key = await findKey(pool, request.headers.authorization)
  if (!key) throw refusal(401, 'invalid_api_key')
  if (!(await hasPlan(pool, key.account_id))) throw refusal(403, 'plan_required')
  const used = await countRequest(pool, key.id, dailyLimit)
  if (used === undefined) throw refusal(429, 'quota_exceeded')
  reply.headers(rateLimitHeaders(dailyLimit, used))
  return readPage(pool, request.query as PageQuery)
})

function refusal(statusCode: number, code: string): Error {
  return Object.assign(new Error(code), { statusCode })
}

await app.listen({ host: '127.0.0.1', port: 0 })
announce(app.server)
