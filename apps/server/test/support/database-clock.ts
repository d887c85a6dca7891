import { sql } from 'kysely'
import { beforeAll } from 'vitest'
import type { TestDatabase } from './postgres.ts'

/** The one clock of a test's own database, set by hand. Until it is set it shows the real time. */
export interface DatabaseClock {
  /** Stops it at this instant. */
  stand: (instant: string) => Promise<void>
  /** Lets it run on from this instant. */
  run: (instant: string) => Promise<void>
}

/** Replaces `ratecard_now()` in this file's database. */
export function useDatabaseClock(database: TestDatabase): DatabaseClock {
  beforeAll(async () => {
    await sql
      .raw(
        `create table test_clock (stand timestamptz, shift interval not null default '0');
        insert into test_clock default values;
        create or replace function ratecard_now() returns timestamptz language sql volatile
          as 'select coalesce(stand, clock_timestamp() + shift) from test_clock'`,
      )
      .execute(database.db)
  })
  return {
    stand: async (instant) => {
      await sql`update test_clock set stand = ${instant}::timestamptz`.execute(database.db)
    },
    run: async (instant) => {
      await sql`update test_clock set stand = null, shift = ${instant}::timestamptz - clock_timestamp()`.execute(
        database.db,
      )
    },
  }
}
