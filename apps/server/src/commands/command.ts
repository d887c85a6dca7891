import { Command } from 'commander'
import { destination } from 'pino'
import { connectForWork, openSecrets, openDatabaseServer, type DatabaseServer } from '../database-server.ts'
import { explainTls, isDatabaseUnavailable, isDiskFull, type Db, type Trx } from '../database/connect.ts'
import { getAccount } from '../features/accounts/account-store.ts'
import { asOperator, type Acting } from '../features/audit/audit-store.ts'
import { FeatureError } from '../features/feature-error.ts'
import { createBodyCheck } from '../features/webhooks/alert-schema.ts'
import type { AlertOptions } from '../features/webhooks/publish-alerts.ts'
import type { SecretBox } from '../features/webhooks/secret-box.ts'
import { publicUrl, readConfig, type Config } from '../platform/config.ts'
import { loadContract } from '../platform/contract.ts'
import { createLogger } from '../platform/logger.ts'
import { UserError } from '../platform/user-error.ts'
import { bringUpToDate } from '../schema.ts'
import type { Queue } from '../queue/queue.ts'
import type { OutputOptions } from './output.ts'
import { refusalText } from './refusals.ts'

/** Adds a group of commands to the program. */
export type CommandGroup = (program: OperatorCommand) => void

type Work<Context, Args extends unknown[]> = (context: Context, ...args: Args) => Promise<void>

/** A command as commander has it, and what the action of nearly every one of ours begins with. */
export class OperatorCommand extends Command {
  override createCommand(name?: string): OperatorCommand {
    return new OperatorCommand(name)
  }

  /** What its help says below the options. */
  notes(text: string): this {
    return this.addHelpText('after', text)
  }

  /** The action works on the database. */
  onDatabase<Args extends unknown[]>(work: Work<WorkContext, Args>): this {
    return this.action((...args) => withDatabase((context) => work(context, ...(args as Args))))
  }

  /** It works on a database that it leaves unmigrated, or migrates itself. */
  onDatabaseAsItIs<Args extends unknown[]>(work: Work<WorkContext, Args>): this {
    return this.action((...args) =>
      withDatabase((context) => work(context, ...(args as Args)), { migrate: false }),
    )
  }

  /** It works on the database, for the account that `--account` names. */
  onAccount<Args extends unknown[]>(work: Work<WorkContext & { accountId: string }, Args>): this {
    return this.onDatabase(async (context, ...args: Args) => {
      const { id } = await getAccount(context.db, this.opts<AccountOptions>().account)
      return work({ ...context, accountId: id }, ...args)
    })
  }
}

export interface WorkContext {
  config: Config
  databaseServer: DatabaseServer
  db: Db
  /** Opened only by commands that touch webhook secrets: the others run without SECRETS_KEY. */
  openSecrets: () => Promise<SecretBox>
}

/** Runs `work` on the database, which is started and migrated as needed and left as it was found. */
export async function withDatabase<T>(
  work: (context: WorkContext) => Promise<T>,
  options: { migrate?: boolean } = {},
): Promise<T> {
  const config = readConfig()
  await using resources = new AsyncDisposableStack()
  const databaseServer = await openDatabaseServer(config, say)
  resources.defer(() => databaseServer.close())
  const db = connectForWork(databaseServer)
  resources.defer(() => db.destroy())
  try {
    if (options.migrate ?? true) {
      const names = await bringUpToDate(databaseServer, db, config)
      if (names.length > 0) say(`Migrated the database: ${names.join(', ')}.`)
    }
    return await work({ config, databaseServer, db, openSecrets: () => openSecrets(config, databaseServer) })
  } catch (error) {
    if (error instanceof FeatureError) throw new UserError(refusalText(error), { cause: error })
    const advice = explainTls(error)
    if (advice !== null) throw new UserError(advice, { cause: error })
    if (!isDatabaseUnavailable(error)) throw error
    const { embedded } = databaseServer
    if (embedded && (isDiskFull(error) || (await embedded.readLog()).includes('No space left on device')))
      throw new UserError(
        `The disk of the embedded database is full (${embedded.dataDir}). Make room on it, and run this again.`,
        { cause: error },
      )
    const reason = error instanceof Error ? error.message : String(error)
    const where =
      config.DATABASE_URL === undefined ? 'The embedded database' : 'The database that DATABASE_URL names'
    throw new UserError(`${where} does not answer: ${reason || 'no connection'}.`, { cause: error })
  }
}

export interface AccountOptions extends OutputOptions {
  account: string
}

/** Does something to an account as an operator, in a transaction. */
export async function actOn<T>(
  db: Db,
  accountId: string,
  action: (trx: Trx, by: Acting) => Promise<T>,
): Promise<T> {
  return db.transaction().execute((trx) => action(trx, asOperator(accountId)))
}

/** Runs `work` with the queue of alerts. */
export async function withQueue<T>(
  { config, databaseServer }: Pick<WorkContext, 'config' | 'databaseServer'>,
  work: (queue: Queue) => Promise<T>,
): Promise<T> {
  const logger = createLogger('warn', destination({ fd: process.stderr.fd, sync: true }))
  // Loaded on demand, as few commands need it.
  const { openAlertQueue } = await import('../alert-queue.ts')
  const queue = await openAlertQueue(config, databaseServer, logger, { supervise: false })
  try {
    return await work(queue)
  } finally {
    await queue.stop()
  }
}

/** Runs `work` with the queue and the texts of alerts, or with null when no alert is sent. */
export async function withAlerts<T>(
  context: WorkContext,
  { alert, severityMin }: { alert: boolean; severityMin?: number },
  work: (alerts: AlertOptions | null) => Promise<T>,
): Promise<T> {
  if (!alert) return work(null)
  const { config } = context
  const check = createBodyCheck((await loadContract()).document)
  return withQueue(context, (queue) =>
    work({
      queue,
      publicUrl: publicUrl(config, config.PORT),
      check,
      ...(severityMin !== undefined && { severityMin }),
    }),
  )
}

/** A message to the operator. Results go to stdout, everything else to stderr. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

const progressMs = 2_000

/** Says how far something is, when it takes long. */
export function everySoOften(): (text: () => string) => void {
  let saidAtMs = performance.now()
  return (text) => {
    if (performance.now() - saidAtMs < progressMs) return
    say(text())
    saidAtMs = performance.now()
  }
}
