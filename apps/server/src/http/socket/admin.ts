import type { RequestListener } from 'node:http'
import type { Config } from '../../platform/config.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Readiness } from '../../platform/readiness.ts'
import { readCommit, readVersion } from '../../platform/version.ts'
import { createLimitedServer, listen } from './listen.ts'

export interface AdminOptions {
  metrics: Metrics
  readiness: () => Promise<Readiness>
  /** Why the database cannot serve now, or null when it can. */
  whyNoDatabase: () => Promise<string | null>
}

/** The private port: liveness, readiness, the database and figures for the operator. */
function createAdminApp({ metrics, readiness, whyNoDatabase }: AdminOptions): RequestListener {
  const json = (status: number, body: object) => ({
    status,
    type: 'application/json',
    body: JSON.stringify(body),
  })
  return (req, res) => {
    const answer = async () => {
      switch (req.url) {
        case '/live':
          return json(200, { status: 'ok' })
        case '/ready': {
          const body = await readiness()
          return json(body.status === 'unavailable' ? 503 : 200, body)
        }
        case '/database': {
          const reason = await whyNoDatabase()
          return reason === null ? json(200, { status: 'ok' }) : json(503, { status: 'unavailable', reason })
        }
        // Which program this is, for whoever looks at many.
        case '/health':
          return json(200, { status: 'ok', version: readVersion(), commit: readCommit() })
        case '/metrics':
          return { status: 200, type: metrics.contentType, body: await metrics.render() }
        default:
          return {
            status: 404,
            type: 'text/plain',
            body: 'Here are /live, /ready, /database, /health and /metrics.\n',
          }
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
