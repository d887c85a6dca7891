import { connect, isDatabaseUnavailable, type Db } from '../database/connect.ts'
import { UserError } from '../platform/user-error.ts'

// The database of another cell, or of the hub.

const connectMs = 5_000

export function connectElsewhere(connectionString: string): Db {
  return connect({ connectionString, connectionsMax: 2, connectTimeoutMs: connectMs })
}

/**
 * Its failures are told apart from those of our own: "the database" would be ours.
 * @param name how the sentence begins
 */
export async function requireAnswer(db: Db, name: string): Promise<void> {
  try {
    await db.selectNoFrom((eb) => eb.lit(1).as('one')).execute()
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
    throw new UserError(`${name} does not answer: ${(error as Error).message || 'no connection'}.`, {
      cause: error,
    })
  }
}
