import { STATUS_CODES, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import type { ErrorCode } from '@ratecard/contract'
import { newId } from '../../platform/ids.ts'
import type { Connections } from './connections.ts'
import { errorAnswer } from '../pipeline/answer-error.ts'
import { ApiError } from '../pipeline/errors.ts'

const codes: Partial<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** How long a refused client may take its answer, before the connection is destroyed. */
const lingerMs = 1_000

/**
 * Answers what is no HTTP request at all, or too slow or too large a one, in the shape of every other error. HTTP
 * sockets are half-open: one that was only ended would stay for as long as its client likes.
 */
export function answerParserErrors(server: Server, connections: Connections): void {
  // The parser complains again of whatever else comes.
  const answered = new WeakSet<Socket>()
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (answered.has(socket)) return
    answered.add(socket)
    if (error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    // Its last answer is under way.
    if (!socket.writable) return
    const code = codes[error.code ?? ''] ?? 'invalid_request'
    const last = connections.dueOn(socket).at(-1)
    if (!last) refuse(socket, code)
    else if (last.req.complete || last.headersSent || last.writableEnded) endAfter(last, socket)
    else answer(last, code)
  })
  server.on('connect', (_req, socket) => refuse(socket, 'method_not_allowed', { Allow: 'GET, POST, DELETE' }))
}

/** What came behind a whole request takes nothing from its answer (RFC 9112, 9.6), and is not answered itself. */
function endAfter(last: ServerResponse, socket: Socket): void {
  if (last.headersSent) last.once('close', () => socket.destroySoon())
  else last.shouldKeepAlive = false
}

/** The request broke off. Its answer comes behind those to the requests before it. */
function answer(res: ServerResponse, code: ErrorCode): void {
  const { status, headers, body } = answerTo(code)
  res.statusCode = status
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  if (!res.hasHeader('X-Request-Id')) res.setHeader('X-Request-Id', newId('req'))
  res.setHeader('Connection', 'close')
  res.end(body)
}

/** There is no request to answer. */
function refuse(socket: Duplex, code: ErrorCode, more: Record<string, string> = {}): void {
  const { status, headers, body } = answerTo(code)
  const all = { ...headers, 'X-Request-Id': newId('req'), ...more, Connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(timer))
}

function answerTo(code: ErrorCode): ReturnType<typeof errorAnswer> {
  const words = code === 'invalid_request' ? { message: 'This is not a valid HTTP request.' } : {}
  const { headers, ...rest } = errorAnswer(new ApiError(code, words), {})
  return { ...rest, headers: { ...headers, 'Cache-Control': 'private, no-store', Vary: 'Authorization' } }
}
