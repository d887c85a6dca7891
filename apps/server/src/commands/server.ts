import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { isDatabaseUnavailable, type Db } from '../database/connect.ts'
import {
  compareMigrations,
  namesIn,
  whyOtherSchema,
  type MigrationState,
} from '../database/compare-migrations.ts'
import type { DemoAccount } from '../process/first-start.ts'
import { readSchedule } from '../ingest/run/schedule.ts'
import { describeConfig, readConfig, requireMail, type Config } from '../platform/config.ts'
import { openLogStream } from '../platform/log-stream.ts'
import { createLogger, type Logger } from '../platform/logger.ts'
import { UserError } from '../platform/user-error.ts'
import { bringUpToDate, isForbidden } from '../schema.ts'
import type * as Server from '../process/serve.ts'
import { say, type CommandGroup } from './command.ts'
import { print, printList, type OutputOptions } from './output.ts'

const stdoutFd = 1
const stderrFd = 2

/** Loaded on demand: the other commands start without a server. */
const serve: typeof Server.serve = async (options) => (await import('../process/serve.ts')).serve(options)

export const serverCommands: CommandGroup = (program) => {
  program
    .command('start')
    .description('Serve with real prices at once: the first start loads them and makes a demo account')
    .action(async (options: OutputOptions) => {
      say('Ratecard starts …')
      // Warnings only, unless configured: the terminal is for the operator's messages.
      const config = readServerConfig({ LOG_LEVEL: 'warn' })
      const logger = createLogger(config.LOG_LEVEL, openLogStream(stderrFd))
      let demo: DemoAccount | null = null
      await serve({
        config,
        logger,
        migrate: true,
        worker: true,
        prepare: async (databaseServer, secrets) => {
          const { firstStart } = await import('../process/first-start.ts')
          demo = await firstStart(databaseServer, secrets, say)
        },
        onListening: ({ url, adminPort }) => {
          const result = {
            url,
            docs: `${url}/docs/`,
            dashboard: `${url}/dashboard`,
            admin_port: adminPort,
            demo,
          }
          print(result, options, () => welcome(url, demo))
        },
      })
    })

  program
    .command('serve')
    .description('Serve the API until SIGTERM or Ctrl-C')
    .option('--no-migrate', 'Refuse to serve when the database lacks migrations, instead of running them')
    .option('--no-worker', 'Send no alerts and read no sources: "ratecard worker" does, elsewhere')
    .option('--processes <count>', 'Serve from so many processes on one port; "auto": one per core', '1')
    .action(async (options: OutputOptions & { migrate: boolean; worker: boolean; processes: string }) => {
      const config = readServerConfig()
      const logger = openLogger(config, options)
      const { migrate, worker } = options
      if (cluster.isWorker) {
        // It listens to the first process. Without this it would wait for messages until it is killed.
        const letGo = () => process.channel?.unref()
        return serve({ config, logger, migrate, worker: false, admin: false }).finally(letGo)
      }
      const count = readProcesses(options.processes)
      const common = {
        config,
        logger,
        migrate,
        worker,
        onListening: ({ url, adminPort }: { url: string; adminPort: number | null }) => {
          if (options.json) print({ url, admin_port: adminPort }, options, () => '')
        },
      }
      if (count === 1) return serve(common)
      const args = ['serve', ...(options.json ? ['--json'] : []), ...(migrate ? [] : ['--no-migrate'])]
      const { serveProcesses } = await import('../process/serve-processes.ts')
      return serveProcesses({ ...common, count, args })
    })

  program
    .command('worker')
    .description('Send alerts and read price sources, and serve no API, until SIGTERM or Ctrl-C')
    .action(async (options: OutputOptions) => {
      const config = readServerConfig()
      const { runWorker } = await import('../process/run-worker.ts')
      await runWorker({
        config,
        logger: openLogger(config, options),
        onReady: ({ adminPort }) => {
          if (options.json) print({ admin_port: adminPort }, options, () => '')
        },
      })
    })

  program
    .command('migrate')
    .description("Bring the database's schema up to date")
    .option('--status', 'Only show which migrations have run')
    .option('--wait', 'Only wait until another "migrate" has brought it up to date')
    .onDatabaseAsItIs(
      async (
        { config, databaseServer, db },
        options: OutputOptions & { status?: boolean; wait?: boolean },
      ) => {
        if (options.wait) await untilMigrated(db)
        else if (!options.status) {
          const names = await bringUpToDate(databaseServer, db, config)
          const result = names.map((id) => ({ id }))
          return printList(result, options, 'The database is up to date.', [['migrated', 'id']])
        }
        printList(await compareMigrations(db), options, '', [
          ['migration', 'id'],
          ['run at', ({ executed_at }) => executed_at ?? 'not yet'],
          ['', ({ state }) => stateTexts[state]],
        ])
      },
    )

  program
    .command('config')
    .description('Settings, all from the environment')
    .command('check')
    .description('Check the settings and show those in force, secrets left out')
    .action((options: OutputOptions) => {
      printList(describeConfig(readServerConfig()), options, '', [
        ['variable', 'id'],
        'value',
        ['meaning', 'description'],
      ])
    })
}

const lookMs = 1_000

/** For servers that start beside the one that migrates, as a role that may see nothing before it is done. */
async function untilMigrated(db: Db): Promise<void> {
  for (let said: string | null = null; ; await setTimeout(lookMs)) {
    const reason = await whyNotMigrated(db)
    if (reason === null) return
    if (reason !== said) say(`Waiting: ${reason}`)
    said = reason
  }
}

async function whyNotMigrated(db: Db): Promise<string | null> {
  try {
    const migrations = await compareMigrations(db)
    const pending = namesIn(migrations, 'pending')
    return pending.length === 0
      ? whyOtherSchema(migrations)
      : `the database lacks migrations: ${pending.join(', ')}.`
  } catch (error) {
    if (isForbidden(error)) return 'the role of DATABASE_URL may not see the tables yet.'
    if (isDatabaseUnavailable(error)) return 'the database does not answer.'
    throw error
  }
}

const stateTexts: Record<MigrationState['state'], string> = {
  run: '',
  pending: '',
  newer: 'of a newer release',
  unchecked: 'not compared with this program yet: run "ratecard migrate"',
  other: 'not of this program: see docs/upgrading.md',
}

/** The settings, with the sources' own checks of theirs. */
function readServerConfig(defaults?: { LOG_LEVEL: string }): Config {
  const config = readConfig(undefined, defaults)
  readSchedule(config.FEED_SOURCES)
  requireMail(config)
  return config
}

/** The log goes to stdout, where no document is expected. */
function openLogger({ LOG_LEVEL }: Config, { json }: OutputOptions): Logger {
  return createLogger(LOG_LEVEL, openLogStream(json ? stderrFd : stdoutFd))
}

function readProcesses(text: string): number {
  if (text === 'auto') return availableParallelism()
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text)
  throw new UserError('--processes must be a whole number from 1 to 999, or "auto" for one per core.')
}

function welcome(base: string, demo: DemoAccount | null): string {
  const next = demo
    ? `A demo account on the developer plan is ready. Its key, shown only now:

  ${demo.key}

Try it:

  curl -H "Authorization: Bearer ${demo.key}" "${base}/v1/prices?vendor=openai&limit=3"

Its dashboard, with a password that is shown only now:

  ${base}/dashboard
  ${demo.email}  ${demo.password}`
    : `For a new key: pnpm -s ratecard accounts list, then

  pnpm -s ratecard keys create --account ACCOUNT_ID

Dashboard: ${base}/dashboard`
  return `Ratecard serves ${base}

${next}

API reference: ${base}/docs/
Stop with Ctrl-C.`
}
