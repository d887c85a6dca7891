import { sql } from 'kysely'
import type { Db } from '../../../apps/server/src/database/connect.ts'
import type * as Due from '../../../apps/server/src/ingest/run/due.ts'
import type * as RunFeed from '../../../apps/server/src/ingest/run/run-feed.ts'
import { UserError } from '../../../apps/server/src/platform/user-error.ts'
import { openCheckout } from '../frame/checkout.ts'
import { forgetful, openCluster } from '../frame/database.ts'
import { say } from '../frame/figures.ts'
import type { Content } from './evidence.ts'

/**
 * The judgement that is measured: this repository's, or that of another checkout with its own schema. What the files say
 * is always read by this repository's code, so that all versions are asked about the same rows.
 */
export type Subject = Awaited<ReturnType<typeof openSubject>>

export async function openSubject(folder: string) {
  const checkout = await openCheckout(folder)
  const { runFeed, repeatRun } = await checkout.load<typeof RunFeed>('ingest/run/run-feed.ts')
  const { runDue } = await checkout.load<typeof Due>('ingest/run/due.ts')
  return { ...checkout, runFeed, repeatRun, runDue }
}

export type Run = Omit<Parameters<Subject['runFeed']>[1], 'input' | 'alerts'> & { content: Content }

/** Reads a source. `failed`: the file was not the source's at all. */
export async function readFeed({ runFeed }: Subject, db: Db, { content, ...run }: Run) {
  try {
    const report = await runFeed(db, { ...run, input: content, alerts: null })
    return { id: report.run_id, outcome: report.outcome, message: report.message, changes: report.changes }
  } catch (error) {
    // Of another checkout, whose class is another.
    const isRefusal = error instanceof UserError || (error as Error).constructor.name === 'UserError'
    if (!isRefusal) throw error
    return { id: null, outcome: 'failed', message: (error as Error).message, changes: [] } as const
  }
}

/** The folder of the real files; without it there is nothing to measure. */
export function requireFiles(json: boolean): string {
  const folder = process.env.PRICE_DATA_DIR
  if (folder) return folder
  say('The real price files are not here: set PRICE_DATA_DIR to their folder. Nothing was measured.')
  if (json) console.log(JSON.stringify({ figures: [] }))
  process.exit(0)
}

export type Rooms = Awaited<ReturnType<typeof openRooms>>

/** Databases for scenarios. Loading all files takes half a minute; a copy of the loaded database takes half a second. */
export async function openRooms({ connect, migrate }: Subject) {
  const cluster = await openCluster(forgetful)
  const open = async (name: string, like?: string) =>
    connect({ connectionString: await cluster.createDatabase(name, like), connectionsMax: 1 })
  let copies = 0
  return {
    /** Makes a database with our schema, to be copied. */
    prepare: async (name: string, fill: (db: Db) => Promise<unknown>) => {
      const db = await open(name)
      await migrate(db)
      await fill(db)
      await sql`analyze`.execute(db)
      await db.destroy()
    },
    /** Opens a copy of a prepared database, and drops it afterwards. */
    within: async <Result>(name: string, work: (db: Db) => Promise<Result>): Promise<Result> => {
      const copy = `copy_${(copies += 1)}`
      const db = await open(copy, name)
      const result = await work(db).finally(() => db.destroy())
      await cluster.dropDatabase(copy)
      return result
    },
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  }
}
