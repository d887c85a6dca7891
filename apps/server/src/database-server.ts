import { alwaysByIndex } from './database/client.ts'
import { connect, type Db } from './database/connect.ts'
import { keepSecret, openEmbedded, type EmbeddedDatabase } from './database/embedded.ts'
import { createSecretBox, generateSecretsKey, type SecretBox } from './features/webhooks/secret-box.ts'
import { budgets } from './platform/budgets.ts'
import type { Config } from './platform/config.ts'
import type { Logger } from './platform/logger.ts'
import { UserError } from './platform/user-error.ts'

// What every command needs. Separate from the composition root, because a command must not load a whole server.

/** The database to work with, and what goes with it. */
export interface DatabaseServer {
  connectionString: string
  /** The same database without the pooler that the other one leads to; unset: there is none. */
  directConnectionString?: string
  /** For bringing the schema up to date; unset: the serving role may do it. */
  ownerConnectionString?: string
  embedded: Pick<EmbeddedDatabase, 'dataDir' | 'readLog'> | null
  /** Starts an embedded database again after it has died; does nothing for an external server. */
  revive: () => Promise<void>
  close: () => Promise<void>
}

/**
 * The server that `DATABASE_URL` names, or else the embedded one.
 * @param say gets sentences for the operator who starts this
 */
export async function openDatabaseServer(
  config: Config,
  say: (text: string) => void,
): Promise<DatabaseServer> {
  const { DATABASE_URL: connectionString, DATABASE_OWNER_URL: ownerConnectionString } = config
  const { DATABASE_DIRECT_URL: directConnectionString } = config
  if (connectionString !== undefined) {
    const nothing = () => Promise.resolve()
    return {
      connectionString,
      ...(ownerConnectionString !== undefined && { ownerConnectionString }),
      ...(directConnectionString !== undefined && { directConnectionString }),
      embedded: null,
      revive: nothing,
      close: nothing,
    }
  }
  if (ownerConnectionString !== undefined) {
    throw new UserError('DATABASE_OWNER_URL is set. Set DATABASE_URL too, to the role that serves.')
  }
  if (directConnectionString !== undefined) {
    throw new UserError(
      'DATABASE_DIRECT_URL is set. Set DATABASE_URL too: to the pooler, or to the same where there is none.',
    )
  }
  const { dataDir, readLog, roles, revive, release } = await openEmbedded(config.DATA_DIR, { say })
  return {
    connectionString: roles.serving,
    ownerConnectionString: roles.owner,
    embedded: { dataDir, readLog },
    revive,
    close: release,
  }
}

/** Keys for webhook secrets: the configured ones; an embedded database has its own, made at the first start. */
export async function openSecrets(config: Config, databaseServer: DatabaseServer): Promise<SecretBox> {
  if (config.SECRETS_KEY) return createSecretBox(config.SECRETS_KEY)
  if (databaseServer.embedded) {
    return createSecretBox([
      await keepSecret(databaseServer.embedded.dataDir, 'secrets-key', generateSecretsKey),
    ])
  }
  throw new UserError(
    'SECRETS_KEY is not set. With DATABASE_URL the server needs it to keep webhook secrets: make one with "openssl rand -base64 32".',
  )
}

/**
 * For what people click, the dashboard and the public pages: apart, so that they and programs cannot take each other's.
 * Four are enough: its requests are few, and a process serves on one core.
 */
export function connectForDashboard(databaseServer: DatabaseServer, logger: Logger): Db {
  return connectForReaders(databaseServer, logger, 4)
}

/** A connection for work that no reader waits for, such as commands. */
export function connectForWork(databaseServer: DatabaseServer): Db {
  return connect({ connectionString: databaseServer.connectionString, connectionsMax: 4 })
}

/** A connection for bringing the schema up to date. */
export function connectAsOwner(databaseServer: DatabaseServer): Db {
  const { ownerConnectionString } = databaseServer
  return connect({
    connectionString: ownerConnectionString ?? directUrl(databaseServer),
    connectionsMax: 2,
  })
}

/** For what is best without a pooler: counting, the queue with its listener, migrations. */
export function directUrl({ directConnectionString, connectionString }: DatabaseServer): string {
  return directConnectionString ?? connectionString
}

/** A connection for sending alerts: each statement takes a batch of keys. */
export function connectForSending(databaseServer: DatabaseServer): Db {
  return connect({
    connectionString: databaseServer.connectionString,
    connectionsMax: 4,
    settings: alwaysByIndex,
  })
}

/** A connection for what is written down in the background: each statement takes a batch of keys. */
export function connectForNotes(databaseServer: DatabaseServer, logger: Logger): Db {
  return connect({
    connectionString: databaseServer.connectionString,
    connectionsMax: 1,
    settings: alwaysByIndex,
    statementTimeoutMs: budgets.statementMs,
    onIdleError: (error) => logger.debug({ err: error }, 'database connection lost'),
  })
}

/**
 * A connection for requests: bounded in number and in the time of each statement. The dashboard has one of its own:
 * however many of its requests wait, programs find theirs free.
 */
export function connectForReaders(
  databaseServer: DatabaseServer,
  logger: Logger,
  connectionsMax: number,
): Db {
  return connect({
    connectionString: databaseServer.connectionString,
    connectionsMax,
    statementTimeoutMs: budgets.statementMs,
    onIdleError: (error) => logger.warn({ err: error }, 'database connection lost'),
  })
}
