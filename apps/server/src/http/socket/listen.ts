import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { Server as NetServer, type AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { UserError } from '../../platform/user-error.ts'
import { Connections, standardLimits, type ConnectionLimits } from './connections.ts'
import { answerParserErrors } from './parser-errors.ts'

const headersTimeoutMs = 10_000
const requestTimeoutMs = 30_000
/** Longer than load balancers keep a connection (60 s): they are the ones to close it. */
const keepAliveTimeoutMs = 65_000
/** How long a client may leave an answer lying. Longer than any answer is worked on. */
const silenceTimeoutMs = 30_000
/** How long a client that has a connection open may still come with a request when we stop. */
const lastRequestMs = 1_000
/** How long those requests may take when we stop. */
const drainTimeoutMs = 10_000

export interface LimitedServer {
  server: Server
  connections: Connections
}

export interface ServerLimits extends Partial<ConnectionLimits> {
  headersTimeoutMs?: number
  requestTimeoutMs?: number
}

/** An HTTP server with the limits that keep slow, careless and hostile clients from harming others. */
export function createLimitedServer(handle: RequestListener, limits: ServerLimits = {}): LimitedServer {
  const server = createServer({
    headersTimeout: limits.headersTimeoutMs ?? headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs ?? requestTimeoutMs,
    maxHeaderSize: 16 * 1_024,
    connectionsCheckingInterval: limits.lookEveryMs ?? standardLimits.lookEveryMs,
    // Node would answer without a body; the app does it with one.
    requireHostHeader: false,
    // A request without a body takes no part in the life of streams, which costs more than reading its head.
    optimizeEmptyRequests: true,
  })
  server.keepAliveTimeout = keepAliveTimeoutMs
  server.timeout = silenceTimeoutMs
  // A client that ends its half of the connection behind a request is answered all the same. Node knows the option; its
  // types do not.
  Object.assign(server, { httpAllowHalfOpen: true })
  const connections = new Connections({ ...standardLimits, ...limits }, handle)
  server.on('connection', (socket) => connections.open(socket))
  server.on('request', (_req, res) => connections.take(res))
  // A body is asked for when it is to be read: not before the credentials are known.
  server.on('checkContinue', (_req, res) => connections.take(res))
  // Node would answer without a body. An expectation we do not know may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (_req, res) => connections.take(res))
  server.on('close', () => connections.close())
  answerParserErrors(server, connections)
  return { server, connections }
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
 * Takes no new connections, answers every request on those there are, and resolves when the last is closed. Answers to
 * what comes from now on must say `Connection: close`; those that are due already get the header here.
 *
 * `http.Server.close` would cut idle connections at once, and with them a request that is already on its way. So only
 * the listening socket is closed first, and idle connections a moment later.
 */
export async function drain({ server, connections }: LimitedServer): Promise<void> {
  const closed = once(server, 'close')
  NetServer.prototype.close.call(server)
  for (const answer of connections.lastDue()) {
    if (!answer.headersSent) answer.setHeader('Connection', 'close')
  }
  await Promise.race([closed, setTimeout(lastRequestMs)])
  server.closeIdleConnections()
  const timeout = new AbortController()
  await Promise.race([
    closed,
    setTimeout(drainTimeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined),
  ])
  timeout.abort()
  server.closeAllConnections()
}
