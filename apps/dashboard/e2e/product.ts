import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { connectForWork, openDatabaseServer } from '../../server/src/database-server.ts'
import type { Db } from '../../server/src/database/connect.ts'
import { readConfig } from '../../server/src/platform/config.ts'

// The product as `pnpm start` runs it, in an empty folder of its own.

const program = fileURLToPath(new URL('../../server/bin/ratecard.js', import.meta.url))

const programWithStripe = fileURLToPath(new URL('start-with-stripe.ts', import.meta.url))

const linkTimeoutMs = 30_000

/** Where a run of the tests keeps what a first start has made. */
const madeName = 'RATECARD_E2E_MADE'

interface Made {
  dataDir: string
  demo: Product['demo']
}

export interface Product {
  url: string
  demo: { account_id: string; key: string; email: string; password: string }
  /** Runs a `ratecard` command beside the server and returns its output. */
  ratecard: (...args: string[]) => Promise<string>
  /** The next link that is mailed to this address. Without a mail server it is in the log. */
  linkTo: (email: string) => Promise<string>
  /** For data that no command makes, such as a history of use. */
  withDb: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  /** Ends the server as a crash does. */
  kill: () => Promise<void>
  /** Starts it again, at the same address where `PORT` names one. */
  startAgain: () => Promise<void>
  stop: () => Promise<void>
}

/** A folder of its own. PostgreSQL runs as another user than root. */
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ratecard-e2e-'))
  await chmod(folder, 0o755)
  return folder
}

/**
 * Makes the database of a first start, once for all products that follow: each works on a copy of it.
 * @returns what removes it
 */
export async function makeFirstStart(): Promise<() => Promise<void>> {
  const folder = await makeFolder()
  const dataDir = join(folder, 'data')
  const product = await startProduct({ DATA_DIR: dataDir })
  await product.stop()
  process.env[madeName] = JSON.stringify({ dataDir, demo: product.demo } satisfies Made)
  return () => rm(folder, { recursive: true, force: true })
}

/**
 * Starts the server and waits until it prints its address. In a run of the tests its first start is behind it.
 * @param stripeUrl where it finds Stripe, when not at Stripe itself
 */
export async function startProduct(
  settings: Record<string, string> = {},
  stripeUrl?: string,
): Promise<Product> {
  const folder = await makeFolder()
  const dataDir = join(folder, 'data')
  const made = JSON.parse(process.env[madeName] ?? 'null') as Made | null
  // PostgreSQL refuses files of another user: "-a" keeps their owner.
  if (made !== null) await promisify(execFile)('cp', ['-a', made.dataDir, dataDir])
  const env = {
    PATH: process.env.PATH ?? '',
    PORT: '0',
    ADMIN_PORT: '0',
    DATA_DIR: dataDir,
    FEED_SOURCES: '[]',
    // Many processes run the same program: it is compiled once.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    ...settings,
  }
  const words = stripeUrl === undefined ? [program, 'start', '--json'] : [programWithStripe, stripeUrl]
  let stderr = ''
  const handedOut = new Map<string, number>()
  const start = async () => {
    const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const closed = once(child, 'close')
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
    while (!/^\}\n/m.test(stdout)) {
      const ended = await Promise.race([once(child.stdout, 'data'), closed.then(() => null)])
      if (ended === null) throw new Error(`The server ended at its start:\n${stderr}`)
    }
    return { child, closed, said: JSON.parse(stdout) as Pick<Product, 'url' | 'demo'> }
  }
  let running = await start()
  const end = async (signal: NodeJS.Signals) => {
    running.child.kill(signal)
    await running.closed
  }
  return {
    ...running.said,
    ...(made && { demo: made.demo }),
    kill: () => end('SIGKILL'),
    startAgain: async () => {
      running = await start()
    },
    stop: async () => {
      await end('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
    linkTo: async (email) => {
      const place = handedOut.get(email) ?? 0
      for (;;) {
        const links = stderr
          .split('\n')
          .filter((text) => text.includes(`"to":"${email}"`) && text.endsWith('}'))
        const line = links[place]
        if (line !== undefined) {
          handedOut.set(email, place + 1)
          return (JSON.parse(line) as { link: string }).link
        }
        await once(running.child.stderr, 'data', { signal: AbortSignal.timeout(linkTimeoutMs) })
      }
    },
    ratecard: async (...args) => {
      const command = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
      const [said, error, [exitCode]] = await Promise.all([
        text(command.stdout),
        text(command.stderr),
        once(command, 'close') as Promise<[number | null]>,
      ])
      if (exitCode !== 0) throw new Error(`ratecard ${args.join(' ')} failed:\n${error}`)
      return said
    },
    withDb: async (work) => {
      const databaseServer = await openDatabaseServer(readConfig(env), () => undefined)
      const db = connectForWork(databaseServer)
      try {
        return await work(db)
      } finally {
        await db.destroy()
        await databaseServer.close()
      }
    },
  }
}
