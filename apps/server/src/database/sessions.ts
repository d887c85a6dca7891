import { Client, type Settings } from './client.ts'
import { budgets } from '../platform/budgets.ts'

/** What stands between us and PostgreSQL. */
interface Sessions {
  /**
   * `own`: nothing, or what passes on all that is sent. `shared`: a pooler that gives a session to one client after the
   * other. `hidden`: something that may be such a pooler.
   */
  kind: 'own' | 'hidden' | 'shared'
  /** Those of the settings that the role lacks: each transaction has to make them. */
  missing: string[]
}

const attempts = 3

/** Finds out what an address of a database leads to. That two clients met in one session is certain; that they never do is not. */
export async function readSessions(connectionString: string, settings: Settings = {}): Promise<Sessions> {
  await using stack = new AsyncDisposableStack()
  const open = async () => {
    const client = new Client({
      connectionString,
      settings,
      connectionTimeoutMillis: budgets.connectMs,
      query_timeout: budgets.statementMs,
      application_name: 'ratecard',
    })
    stack.defer(() => client.end().catch(() => undefined))
    await client.connect()
    return client
  }
  const one = await open()
  if (one.isOwn) return { kind: 'own', missing: [] }
  const { missing } = one
  const other = await open()
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const before = await readSession(one)
    // Who waits in a transaction keeps the session.
    await runScript(other, 'begin')
    const met = (await readSession(other)) === before
    await runScript(other, 'rollback')
    if (met) return { kind: 'shared', missing }
  }
  return { kind: 'hidden', missing }
}

async function readSession(client: Client): Promise<number> {
  const { rows } = (await runScript(client, 'select pg_backend_pid() as pid')) as { rows: { pid: number }[] }
  return rows[0]!.pid
}

function runScript(client: Client, text: string): Promise<unknown> {
  return client.query(text)
}
