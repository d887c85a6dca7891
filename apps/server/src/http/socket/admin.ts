import type { RequestListener } from 'node:http'
import type { Config } from '../../platform/config.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { createLimitedServer, listen } from './listen.ts'

export interface AdminOptions {
  metrics: Metrics
  /** Why the server should get no requests now, or null when it should. */
  whyNotReady: () => Promise<string | null>
}

/** The private port: liveness, readiness and figures for the operator. */
function createAdminApp({ metrics, whyNotReady }: AdminOptions): RequestListener {
  return (req, res) => {
    const answer = async () => {
      switch (req.url) {
        case '/live':
          return { status: 200, type: 'application/json', body: JSON.stringify({ status: 'ok' }) }
        case '/ready': {
          const reason = await whyNotReady()
          const body = reason === null ? { status: 'ok' } : { status: 'unavailable', reason }
          return { status: reason === null ? 200 : 503, type: 'application/json', body: JSON.stringify(body) }
        }
        case '/metrics':
          return { status: 200, type: metrics.contentType, body: await metrics.render() }
        default:
          return { status: 404, type: 'text/plain', body: 'Here are /live, /ready and /metrics.\n' }
      }
    }
    answer().then(
      ({ status, type, body }) =>
        res.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body),
      () => res.writeHead(500).end(),
    )
  }
}

/** Opens the private port. Closing it cuts open connections. */
export async function openAdmin(
  options: AdminOptions,
  { ADMIN_HOST: host, ADMIN_PORT: port }: Pick<Config, 'ADMIN_HOST' | 'ADMIN_PORT'>,
): Promise<{ port: number; close: () => void }> {
  const { server } = createLimitedServer(createAdminApp(options))
  return {
    port: await listen(server, { host, port, portName: 'ADMIN_PORT' }),
    close: () => server.close().closeAllConnections(),
  }
}
