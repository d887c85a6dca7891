import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { UserError } from '../platform/user-error.ts'

const headersTimeoutMs = 10_000
const requestTimeoutMs = 30_000
/** Longer than load balancers keep a connection (60 s), so that they are the ones to close it. */
const keepAliveTimeoutMs = 65_000
/** How long a client that has a connection open may still come with a request when we stop. */
const lastRequestMs = 1_000

/**
 * The answer that each connection of a server is about to get. By connection, and not as a set of answers: a set that
 * gains and loses a member with each request leaves old tables behind, which hold its members past their time, until
 * the garbage collector takes a request in two for long-lived.
 */
const answersDue = new WeakMap<Server, Map<Socket, ServerResponse | null>>()

/** An HTTP server with the limits that keep slow and careless clients from harming others. */
export function createLimitedServer(listener?: RequestListener): Server {
  const options = {
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    maxHeaderSize: 16 * 1_024,
    connectionsCheckingInterval: 1_000,
    // Node would answer without a body; the app does it with one.
    requireHostHeader: false,
  }
  const server = listener ? createServer(options, listener) : createServer(options)
  // Here too Node would answer without a body. An expectation we do not know may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (req, res) => server.emit('request', req, res))
  server.keepAliveTimeout = keepAliveTimeoutMs
  const due = new Map<Socket, ServerResponse | null>()
  answersDue.set(server, due)
  server.on('connection', (socket: Socket) => {
    due.set(socket, null)
    socket.on('close', () => due.delete(socket))
  })
  server.on('request', ({ socket }, res) => {
    due.set(socket, res)
    res.on('close', () => {
      if (due.get(socket) === res) due.set(socket, null)
    })
  })
  return server
}

/**
 * Listens, and returns the port.
 * @param portName the variable that sets the port, for the error when it is taken
 */
export async function listen(
  server: Server,
  { host, port, portName }: { host: string; port: number; portName: string },
): Promise<number> {
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const reason = code === 'EADDRINUSE' ? 'another program listens there' : message
    throw new UserError(`Cannot listen on ${host}:${port}: ${reason}. Set ${portName} to another port.`, {
      cause,
    })
  }
  return (server.address() as AddressInfo).port
}

/**
 * Takes no new connections, answers every request on those there are, and resolves when the last is closed.
 * Answers to what comes from now on must say `Connection: close`; those that are due already are told to here.
 *
 * `http.Server.close` would cut idle connections at once, and with them a request that is already on its way. So
 * only the listening socket is closed first, and idle connections a moment later.
 */
export async function drain(server: Server, { timeoutMs }: { timeoutMs: number }): Promise<void> {
  const closed = once(server, 'close')
  NetServer.prototype.close.call(server)
  for (const answer of answersDue.get(server)?.values() ?? []) {
    if (answer && !answer.headersSent) answer.setHeader('Connection', 'close')
  }
  await Promise.race([closed, setTimeout(lastRequestMs)])
  server.closeIdleConnections()
  const timeout = new AbortController()
  await Promise.race([
    closed,
    setTimeout(timeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined),
  ])
  timeout.abort()
  server.closeAllConnections()
}
