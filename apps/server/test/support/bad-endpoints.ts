import { once } from 'node:events'
import { createServer, Socket, type AddressInfo } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { goodCertificate } from './certificates.ts'

// Endpoints that a well-behaved HTTP server cannot play.

export interface BadEndpoint {
  port: number
  close: () => Promise<void>
}

/** Takes TCP connections and hands each to `act`. */
export async function startTcpEndpoint(act: (socket: Socket) => void): Promise<BadEndpoint> {
  return listening(createServer(), 'connection', act)
}

/** Speaks TLS with a good certificate, and misbehaves as given after the first bytes of the request. */
export async function startTlsEndpoint(act: (socket: TLSSocket) => void): Promise<BadEndpoint> {
  return listening(createTlsServer(goodCertificate), 'secureConnection', (socket: TLSSocket) => {
    socket.once('data', () => act(socket))
  })
}

async function listening<S extends Socket>(
  server: ReturnType<typeof createServer>,
  event: string,
  act: (socket: S) => void,
): Promise<BadEndpoint> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
  })
  server.on('tlsClientError', () => undefined)
  server.on(event, (socket: S) => {
    socket.on('error', () => undefined)
    act(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const blackHole = `
  const { createServer } = require('node:net')
  const { parentPort } = require('node:worker_threads')
  const server = createServer()
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port)
    // Never accepts: the thread is blocked.
    setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000), 10)
  })`
const connectPatienceMs = 150

/** A port where connecting is neither accepted nor refused: its backlog is full. */
export async function startBlackHole(): Promise<BadEndpoint> {
  const thread = new Worker(blackHole, { eval: true })
  const [port] = (await once(thread, 'message')) as [number]
  await setTimeout(50)
  const waiting: Socket[] = []
  for (let isOpen = true; isOpen;) {
    const socket = new Socket().on('error', () => undefined)
    waiting.push(socket)
    socket.connect(port, '127.0.0.1')
    isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      setTimeout(connectPatienceMs).then(() => false),
    ])
  }
  return {
    port,
    close: async () => {
      for (const socket of waiting) socket.destroy()
      await thread.terminate()
    },
  }
}

/** A port without a listener. */
export async function findClosedPort(): Promise<number> {
  const { port, close } = await startTcpEndpoint(() => undefined)
  await close()
  return port
}
