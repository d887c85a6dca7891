import { PostgresAdapter, PostgresDialect } from 'kysely'

/**
 * Kysely's dialect without its lock for migrations. That lock is the session's: behind a pooler it would stay with a
 * session that others use by then. `migrate.ts` takes the same lock for its transaction.
 */
export class Dialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new Adapter()
  }
}

class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {
    // Taken already.
  }

  override async releaseMigrationLock(): Promise<void> {
    // Ends with the transaction.
  }
}
