import { setTimeout } from 'node:timers/promises'
import { head } from '../../../../apps/server/test/support/raw-http.ts'
import { answers, pace, type Attack } from '../attack.ts'
import { Sockets } from '../sockets.ts'

// Connections that end in the middle, and bytes that are no request.

const me = head('GET /dashboard/api/me')
/** Long enough for the server to have begun. */
const untilResetMs = 5

const garbage: readonly string[] = [
  'no HTTP at all\r\n\r\n',
  head('GET /v1/prices', 'Transfer-Encoding: xchunked'),
  head('POST /v1/webhooks', 'Content-Length: 5', 'Transfer-Encoding: chunked'),
  head('GET /health', `X-Large: ${'a'.repeat(17_000)}`),
  head('GET /health', 'Content-Length: +1'),
  `${head('GET /dashboard/api/me')}\0\0\0`,
  'GET http://[/v1/prices HTTP/1.1\r\nHost: x\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
]
const brokenPerSecond = 100

export const brokenConnections: readonly Attack[] = [
  {
    name: 'reset at once',
    means: '50 connections a second of 8 requests in one write, 1 a second of 400, all reset at once',
    async run(target) {
      const sockets = new Sockets(target)
      await pace(51, target.signal, (number) => {
        const requests = number % 51 === 0 ? 400 : 8
        const socket = sockets.open({ bytes: me.repeat(requests) })
        socket.once('connect', () => {
          target.tally.requests += requests
          void setTimeout(untilResetMs).then(() => socket.resetAndDestroy())
        })
      })
      sockets.closeAll()
    },
    landed: ({ opened }) => opened >= 50,
  },
  {
    name: 'what is no HTTP',
    means: '100 connections a second, each with bytes that the parser refuses, never closed',
    async run(target) {
      const sockets = new Sockets(target)
      await pace(brokenPerSecond, target.signal, (number) => {
        sockets.open({ bytes: garbage[number % garbage.length] ?? '' })
      })
      sockets.closeAll()
    },
    landed: (tally) => answers(tally, 400) + tally.cut >= brokenPerSecond,
  },
]
