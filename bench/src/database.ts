import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery } from 'kysely'
import { connect, type Db } from '../../apps/server/src/database/connect.ts'
import { openEmbedded } from '../../apps/server/src/database/embedded.ts'
import { migrate } from '../../apps/server/src/database/migrate.ts'

/** A migrated, empty database on the server of `DATABASE_URL`, or on an embedded one; gone after `close`. */
export async function openDatabase(): Promise<{ db: Db; close: () => Promise<void> }> {
  const server = await openServer()
  const name = `ratecard_bench_${process.pid}`
  await administer(server.url, `create database ${name}`)
  const url = new URL(server.url)
  url.pathname = `/${name}`
  const db = connect({ connectionString: url.href, connectionsMax: 1 })
  await migrate(db)
  return {
    db,
    close: async () => {
      await db.destroy()
      await administer(server.url, `drop database ${name} with (force)`)
      await server.close()
    },
  }
}

/** The server of `DATABASE_URL`, or an embedded one that lives until `close`. */
export async function openServer(): Promise<{ url: string; close: () => Promise<void> }> {
  const given = process.env.DATABASE_URL
  if (given) return { url: given, close: () => Promise.resolve() }
  const folder = await mkdtemp(join(tmpdir(), 'ratecard-bench-'))
  const settings = ['fsync=off', 'full_page_writes=off', 'max_wal_size=4GB', 'maintenance_work_mem=256MB']
  const embedded = await openEmbedded(folder, { settings })
  return {
    url: embedded.connectionString,
    close: async () => {
      await embedded.release()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Runs one statement on the server's own database. */
export async function administer(url: string, statement: string): Promise<void> {
  const db = connect({ connectionString: url, connectionsMax: 1 })
  try {
    await db.executeQuery(CompiledQuery.raw(statement))
  } finally {
    await db.destroy()
  }
}
