import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openEmbedded } from '../../src/database/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'
import { connect } from '../../src/database/connect.ts'
import { createDatabase, dropDatabase, urlOfDatabase } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server that the tests may make databases on. */
    postgresUrl: string
    /** A migrated, empty database to clone. */
    templateDatabase: string
  }
}

/** One PostgreSQL server and one migrated template for the whole run: `DATABASE_URL`'s, or an embedded one. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openPostgres()
  const template = `ratecard_template_${process.pid}`
  await createDatabase(server.url, template)
  const db = connect({ connectionString: urlOfDatabase(server.url, template) })
  await migrate(db)
  await db.destroy()
  project.provide('postgresUrl', server.url)
  project.provide('templateDatabase', template)
  return async () => {
    await dropDatabase(server.url, template)
    await server.close()
  }
}

async function openPostgres(): Promise<{ url: string; close: () => Promise<void> }> {
  const given = process.env.DATABASE_URL
  if (given !== undefined && given !== '') return { url: given, close: () => Promise.resolve() }
  const folder = await mkdtemp(join(tmpdir(), 'ratecard-test-'))
  const settings = ['fsync=off', 'full_page_writes=off', 'max_connections=300', 'shared_buffers=256MB']
  const database = await openEmbedded(folder, { settings })
  return {
    url: database.connectionString,
    close: async () => {
      await database.release()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
