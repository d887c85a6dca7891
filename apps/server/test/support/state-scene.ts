import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { dumpOf, type State } from '../../proofs/states.ts'
import { connect, type Db } from '../../src/database/connect.ts'
import { authorityFile } from './certificates.ts'
import { createDatabase, dropDatabase, urlOfDatabase } from './postgres.ts'

/** A database without tables, until the test ends. */
export async function useEmpty(): Promise<{ url: string; db: Db }> {
  const server = inject('postgresUrl')
  const name = `ratecard_test_state_${randomBytes(4).toString('hex')}`
  await createDatabase(server, name)
  const url = urlOfDatabase(server, name)
  const db = connect({ connectionString: url })
  onTestFinished(async () => {
    await db.destroy()
    await dropDatabase(server, name)
  })
  return { url, db }
}

/** A database as a state left it. */
export async function loadState(state: State): Promise<{ url: string; db: Db }> {
  const database = await useEmpty()
  await runAlone(database.url, dumpOf(state))
  return database
}

/** In a session of its own: a dump changes its settings. */
export async function runAlone(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statements)
  } finally {
    await client.end()
  }
}

/** A file, or the name of one that is to be made, until the test ends. */
export async function useFile(name: string, text?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ratecard-states-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  if (text !== undefined) await writeFile(join(folder, name), text)
  return join(folder, name)
}

export const environmentOf = (url: string, { secretsKey }: State) => ({
  ...{ DATABASE_URL: url, SECRETS_KEY: secretsKey, LOG_LEVEL: 'warn' },
  ...{ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_CA_FILE: authorityFile },
})
