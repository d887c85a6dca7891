import express, { type Request, type RequestHandler, type Response, type Router } from 'express'
import { isPlainJson } from '@ratecard/contract/input'
import { findNetwork } from '../../platform/network.ts'
import type { Logger } from '../../platform/logger.ts'
import type { Db } from '../../database/connect.ts'
import { readSnapshotFile } from '../files/export-files.ts'
import { tools } from '../limits/index.ts'
import { ApiError } from '../pipeline/errors.ts'
import { atPace } from '../pipeline/pace.ts'
import { receiveBody } from '../pipeline/read-body.ts'
import { enterGate, type Gate } from '../pipeline/shed.ts'
import { ToolThread } from './tool-thread.ts'

export interface ToolOptions {
  db: Db
  logger: Logger
  publicUrl: string
  /** Whose pages may ask besides our own. */
  corsOrigins: readonly string[]
}

/**
 * The Model Context Protocol over streamable HTTP: the tools of @ratecard/mcp, for agents, without a key. Each message is
 * one request and one answer; there are no sessions, and no streams.
 */
export function toolRoutes({ db, logger, publicUrl, corsOrigins }: ToolOptions, gate: Gate): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  const thread = new ToolThread((known) => readSnapshotFile(db, known), logger)
  router.post(
    '/mcp',
    requireKnownOrigin(new Set([new URL(publicUrl).origin, ...corsOrigins])),
    atPace(tools.pace.network, toNetwork),
    atPace(tools.pace.all, () => 'all'),
    async (req, res) => {
      res.setHeader('Cache-Control', 'no-store')
      enterGate(gate, res)
      const { 'content-type': type = '', 'content-encoding': coding = '' } = req.headers
      if (!isPlainJson(type, coding)) throw new ApiError('unsupported_media_type')
      const body = (await receiveBody(req, res, gate, tools.bodyBytesMax)).toString()
      const method = parseMethod(body)
      // It waits outside of the gate: pages go on.
      res.locals.leaveGate?.()
      const answer = await thread.answer({ headers: asked(req), body }, toNetwork(req), needsPrices(method))
      res.status(answer.status).set(answer.headers).end(answer.body)
    },
  )
  router.all('/mcp', ({ method }) => {
    const message = `This path answers POST, not ${method}: it has no stream, and no session.`
    throw new ApiError('method_not_allowed', { message, headers: { Allow: 'POST' } })
  })
  return router
}

const toNetwork = ({ ip = '' }: Request) => findNetwork(ip)

/**
 * A page that has its own name lead to this address could otherwise read what its visitor alone reaches (DNS rebinding).
 * The protocol asks for 403. Programs send no Origin.
 */
function requireKnownOrigin(known: ReadonlySet<string>): RequestHandler {
  return (req, res, next) => {
    const { origin } = req.headers
    if (origin === undefined || known.has(origin)) return next()
    refuse(res, 403, 'Pages of this origin may not ask. CORS_ORIGINS names those that may.')
  }
}

/** As JSON-RPC has it where no message was read. */
function refuse(res: Response, status: number, message: string): void {
  res.status(status).json({ jsonrpc: '2.0', error: { code: -32_600, message }, id: null })
}

/** @throws ApiError (400) where it is no single message: a list of them would be many calls in one */
function parseMethod(body: string): string {
  let message: unknown
  try {
    message = JSON.parse(body)
  } catch {
    throw new ApiError('invalid_request', { message: 'The body is no JSON.' })
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    throw new ApiError('invalid_request', {
      message: 'The body is one JSON-RPC message, and no list of them.',
    })
  return String((message as { method?: unknown }).method)
}

/** What a client asks before it calls a tool needs none. */
function needsPrices(method: string): boolean {
  return ['tools/call', 'resources/read', 'completion/complete'].includes(method)
}

const passedOn = ['accept', 'content-type', 'mcp-protocol-version']

function asked({ headers }: Request): Record<string, string> {
  return Object.fromEntries(
    passedOn.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
  )
}
