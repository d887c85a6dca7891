import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createCustomer } from '../test/support/actors.ts'
import { priceDataDir, skipTitle } from '../test/support/price-files.ts'
import { environment, program, ratecard } from '../test/support/process.ts'
import { useDatabase, type TestDatabase } from '../test/support/postgres.ts'

// Runs of the feed are killed, as by a power cut, at random moments, and begun again.

const secretsKey = Buffer.alloc(32, 7).toString('base64')
const killsMin = 10

/** A start, and steps that move prices, remove and hold. */
const files = [
  'events/novita-unit-fix.1-before.2026-01-13T09.json.gz',
  'events/novita-unit-fix.2-after.2026-01-13T22.json.gz',
  'events/removal-flap.1-before.2026-03-11T14.json.gz',
  'events/removal-flap.2-removed.2026-03-11T18.json.gz',
  'events/removal-flap.2-removed.2026-03-11T18.json.gz',
  'daily/model_prices_2026-06-26T17.json.gz',
  'daily/model_prices_2026-07-24T18.json.gz',
]

const whole = useDatabase()
const killed = useDatabase()

describe.skipIf(priceDataDir === undefined)(skipTitle('runs that are killed'), () => {
  test('and begun again end as if nothing had been', { timeout: 600_000 }, async () => {
    for (const { db } of [whole, killed]) {
      const { accountId } = await createCustomer(db, { plan: 'scale' })
      await sql`insert into webhooks (id, account_id, url, events, secret_ciphertext, secret_key_id)
        values ('wh_1', ${accountId}, 'https://receiver.example/', '{change.alert}', '\\x00', 'none')`.execute(
        db,
      )
    }
    let kills = 0
    let interrupted = 0
    for (const [index, file] of files.entries()) {
      const args = argsOf(file, index)
      const started = performance.now()
      const done = await ratecard(args, environmentOf(whole))
      expect(done.exitCode).toBe(0)
      const wholeMs = performance.now() - started

      for (let attempt = 0; attempt < 2; attempt += 1) {
        const runsBefore = await countRuns()
        await killAfter(args, Math.random() * wholeMs)
        kills += 1
        // A run writes all or nothing: the next one shows which.
        if ((await countRuns()) === runsBefore) interrupted += 1
      }
      const again = await ratecard(args, environmentOf(killed))
      expect(again.exitCode, again.stderr).toBe(done.exitCode)
      expect(await stateOf(killed)).toEqual(await stateOf(whole))
    }
    console.log(`${kills} kills, ${interrupted} of them before the end of the run`)
    expect(kills).toBeGreaterThanOrEqual(killsMin)
    expect(interrupted).toBeGreaterThan(0)
  })
})

function argsOf(file: string, index: number): string[] {
  // Each file is a day later, for a row that is gone long enough to be published as removed.
  const observedAt = `2026-08-${String(index + 1).padStart(2, '0')}T00:00:00Z`
  const path = join(priceDataDir ?? '', 'litellm', file)
  return ['feed', 'run', 'litellm', '--file', path, '--observed-at', observedAt, '--json']
}

function environmentOf({ url }: TestDatabase): Record<string, string> {
  return { DATABASE_URL: url, SECRETS_KEY: secretsKey }
}

async function killAfter(args: readonly string[], afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], {
    env: environment(environmentOf(killed)),
    stdio: 'ignore',
  })
  const closed = once(child, 'close')
  await Promise.race([setTimeout(afterMs), closed])
  child.kill('SIGKILL')
  await closed
  // Its session ends, and with it its transaction, when PostgreSQL notices.
  await sql`select pg_advisory_lock(7310005), pg_advisory_unlock(7310005)`.execute(killed.db)
}

async function countRuns(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from feed_runs`.execute(killed.db)
  return rows[0]?.count ?? 0
}

/** All that runs leave, but for ids that are random and times of writing. */
async function stateOf({ db }: TestDatabase): Promise<unknown> {
  const tables = {
    // What is served of a price has its updated_at within.
    prices: sql`select to_jsonb(p) - 'updated_at' - 'served' - 'created_at' - 'run_id' as row
      from prices p order by resource_id`,
    rates: sql`select to_jsonb(r) - 'id' as row from rate_cards r order by 1`,
    claims: sql`select to_jsonb(r) as row from feed_claims r order by source, resource_key`,
    claimVersions: sql`select to_jsonb(v) - 'run_id' as row from claim_versions v
      order by source, resource_key, observed_at`,
    standings: sql`select to_jsonb(s) as row from price_standings s order by resource_key`,
    evidence: sql`select to_jsonb(e) - 'change_id' - 'id' as row from change_evidence e order by 1`,
    holds: sql`select to_jsonb(h) - 'id' - 'run_id' as row from feed_holds h order by source, resource_id, first_seen, 1`,
    versions: sql`select record as row from price_versions order by resource_id, updated_at`,
    changes: sql`select to_jsonb(c) - 'id' - 'run_id' - 'created_at' - 'updated_at' as row
      from changes c order by first_seen, category, product, title`,
    alternatives: sql`select to_jsonb(a) - 'id' - 'change_id' - 'created_at' as row from change_alternatives a order by 1`,
    deliveries: sql`select array_length(a.change_ids, 1) as row from deliveries join alerts a on a.id = alert_id
      order by deliveries.created_at, 1`,
    jobs: sql`select count(*) as row from pgboss.job where name = 'deliver'`,
  }
  const state: Record<string, unknown> = {}
  for (const [name, query] of Object.entries(tables)) {
    const { rows } = await query.execute(db)
    // A repeated run is one more run: its report is the same, and it publishes nothing.
    state[name] = rows.map((row) => JSON.stringify((row as { row: unknown }).row))
  }
  return state
}
