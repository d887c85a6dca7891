import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorBody, ErrorCode } from '@ratecard/contract'
import { newId } from '../platform/ids.ts'
import { errorKinds } from './errors.ts'

const codes: Partial<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Answers what is no HTTP request at all, or too slow or too large a one, in the shape of every other error. */
export function answerParserErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const code = codes[error.code ?? ''] ?? 'invalid_request'
    const { status, message } = errorKinds[code]
    const text = code === 'invalid_request' ? 'This is not a valid HTTP request.' : message
    const body = JSON.stringify({ error: code, message: text, status } satisfies ErrorBody)
    const lines = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: private, no-store',
      'Vary: Authorization',
      `X-Request-Id: ${newId('req')}`,
      'Connection: close',
    ]
    socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
  })
}
