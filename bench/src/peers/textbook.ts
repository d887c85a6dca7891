import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import express, { type ErrorRequestHandler } from 'express'
import * as OpenApiValidator from 'express-openapi-validator'
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
} from './peer.ts'

// The service as most would write it: Express, the validator set up as its README shows, a query for each question,
// and `res.json`.

const pool = new pg.Pool({ connectionString: given('DATABASE_URL'), max: 10 })
const app = express()

app.use(
  OpenApiValidator.middleware({
    apiSpec: fileURLToPath(new URL('../../../openapi.yaml', import.meta.url)),
    validateRequests: true,
    validateResponses: given('CHECK_ANSWERS') === 'yes',
    validateSecurity: {
      handlers: {
        apiKey: async (req) => {
          const key = await findKey(pool, req.headers.authorization)
          Object.assign(req, { key })
          return key !== undefined
        },
      },
    },
  }),
)

app.get('/v1/prices', async (req, res) => {
  const { key } = req as unknown as { key: { id: string; account_id: string } }
  if (!(await hasPlan(pool, key.account_id))) return void res.status(403).json({ error: 'plan_required' })
  const used = await countRequest(pool, key.id, dailyLimit)
  if (used === undefined) return void res.status(429).json({ error: 'quota_exceeded' })
  res.set(rateLimitHeaders(dailyLimit, used))
  res.json(await readPage(pool, req.query))
})

app.use(((error: { status?: number; message: string }, _req, res, _next) => {
  res.status(error.status ?? 500).json({ error: error.message })
}) satisfies ErrorRequestHandler)

announce(createServer(app as never))
