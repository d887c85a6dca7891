import { CompiledQuery } from 'kysely'
import type { Db } from '../../../apps/server/src/database/connect.ts'
import { administer, openFastServer } from '../database.ts'
import type { Subject } from './subject.ts'

// Databases for scenarios. Loading all files takes half a minute; a copy of the loaded database takes half a second.

export interface Rooms {
  /** Makes a database with our schema, to be copied. */
  prepare: (name: string, fill: (db: Db) => Promise<void>) => Promise<void>
  /** Opens a copy of a prepared database, and drops it afterwards. */
  within: <Result>(name: string, work: (db: Db) => Promise<Result>) => Promise<Result>
  close: () => Promise<void>
}

export async function openRooms({ connect, migrate }: Subject): Promise<Rooms> {
  const server = await openFastServer()
  const prefix = `ratecard_judgement_${process.pid}`
  const made: string[] = []
  const create = async (name: string, like?: string) => {
    const database = `${prefix}_${name}`
    await administer(server.url, `create database ${database}${like ? ` template ${prefix}_${like}` : ''}`)
    made.push(database)
    const url = new URL(server.url)
    url.pathname = `/${database}`
    return { database, db: connect({ connectionString: url.href, connectionsMax: 1 }) }
  }
  const drop = async (database: string) => {
    await administer(server.url, `drop database if exists ${database} with (force)`)
    made.splice(made.indexOf(database), 1)
  }
  let copies = 0
  return {
    async prepare(name, fill) {
      const { db } = await create(name)
      try {
        await migrate(db)
        await fill(db)
        await db.executeQuery(CompiledQuery.raw('analyze'))
      } finally {
        await db.destroy()
      }
    },
    async within(name, work) {
      const { database, db } = await create(`copy_${(copies += 1)}`, name)
      try {
        return await work(db)
      } finally {
        await db.destroy()
        await drop(database)
      }
    },
    async close() {
      for (const database of [...made]) await drop(database)
      await server.close()
    },
  }
}
