import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { freePort } from '../../src/database/embedded.ts'

/** A network between server and database that fails on demand. It passes everything at first. */
export interface TcpProxy {
  /** The database's URL through the proxy. */
  url: string
  /** New connections reach the database. Those caught in a black hole never come back. */
  pass: () => Promise<void>
  /** Stops listening, and resets open connections. */
  refuse: () => Promise<void>
  /** Takes everything and passes nothing, in both directions, ends of connections included. */
  blackHole: () => void
  /** Passes everything this much later, each way. */
  delay: (ms: number) => void
  /** Resets open connections; new ones pass. */
  reset: () => void
  /**
   * Resets the connection of the next statement that calls `name`, once the database has answered it and before the
   * answer is passed on. Resolves then.
   */
  loseAnswer: (name: string) => Promise<void>
}

interface Pair {
  client: Socket
  upstream: Socket
  swallowing: boolean
  /** Resets once the database answers: its work is done, and its client never learns of it. */
  losing: (() => void) | null
}

/** A proxy in this process before the database with this URL, for the length of the test. */
export async function openProxy(databaseUrl: string): Promise<TcpProxy> {
  const target = new URL(databaseUrl)
  const pairs = new Set<Pair>()
  let swallow = false
  let delayMs = 0
  let toLose: { name: string; lost: () => void } | null = null

  const server = createServer((client) => {
    const upstream = createConnection(Number(target.port), target.hostname)
    const pair: Pair = { client, upstream, swallowing: swallow, losing: null }
    pairs.add(pair)
    forward(pair, client, upstream)
    forward(pair, upstream, client)
  })

  function forward(pair: Pair, from: Socket, to: Socket): void {
    from.setNoDelay(true)
    const later = (action: () => void) => {
      const act = () => {
        if (!pair.swallowing) action()
      }
      if (delayMs > 0) setTimeout(act, delayMs)
      else act()
    }
    from.on('data', (bytes: Buffer) => {
      if (from === pair.upstream && pair.losing) return pair.losing()
      if (from === pair.client && toLose && bytes.includes(toLose.name)) {
        const { lost } = toLose
        toLose = null
        pair.losing = () => {
          reset(pair)
          lost()
        }
      }
      later(() => to.write(bytes))
    })
    from.on('error', () => undefined)
    from.on('close', () => {
      later(() => to.destroy())
      if (pair.client.destroyed && pair.upstream.destroyed) pairs.delete(pair)
    })
  }

  const reset = ({ client, upstream }: Pair) => {
    client.resetAndDestroy()
    upstream.resetAndDestroy()
  }
  const resetAll = () => {
    for (const pair of pairs) reset(pair)
    pairs.clear()
  }
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const close = async () => {
    if (!server.listening) return
    server.close()
    resetAll()
    await once(server, 'close')
  }

  // It gives its port up and takes it again: one that no outgoing connection gets in between.
  const port = await freePort()
  await listen(port)
  onTestFinished(async () => {
    resetAll()
    await close()
  })
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return {
    url: url.href,
    pass: async () => {
      swallow = false
      delayMs = 0
      if (!server.listening) await listen(port)
    },
    refuse: close,
    blackHole: () => {
      swallow = true
      for (const pair of pairs) pair.swallowing = true
    },
    delay: (ms) => {
      delayMs = ms
    },
    reset: resetAll,
    loseAnswer: (name) => new Promise((lost) => (toLose = { name, lost })),
  }
}
