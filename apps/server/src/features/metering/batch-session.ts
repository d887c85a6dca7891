import { randomUUID } from 'node:crypto'
import { openSession, type Session } from '../../database/session.ts'
import { budgets } from '../../platform/budgets.ts'
import { CommitMemory } from './commit-memory.ts'
import type { Loss } from './lost-commits.ts'
import type { BatchSession } from './reservation-batcher.ts'
import { readOutcome, releaseArguments, reserveArguments, type DailyLimits } from './unit-store.ts'

const lastBatch = '(select batch from meter_batchers where id = $1)'

/**
 * Opens the connections of one batcher of this process, one after the other.
 * @param options.lockTimeoutMs how long a statement waits for a counter that another session holds
 * @param options.onLoss called when the database lacks a batch that it had confirmed
 */
export function batchSessionConnector({
  connectionString,
  limits,
  lockTimeoutMs = budgets.batchLockMs,
  onLoss,
}: {
  connectionString: string
  limits: DailyLimits
  lockTimeoutMs?: number
  onLoss: (loss: Loss) => void
}): () => Promise<BatchSession> {
  const batcher = randomUUID()
  const memory = new CommitMemory(batcher, onLoss)

  /** Before anything is written: a batch whose answer is lost would cover what is missing. */
  async function look(session: Session): Promise<void> {
    const row = await session.ask(`select ${lastBatch} as batch`, [batcher])
    // Some services do not tell it.
    const timeline = await session.ask(timelineQuery).catch(() => undefined)
    memory.look(
      toNumber(row?.batch),
      timeline && { system: timeline.system!, number: Number(timeline.number) },
    )
  }

  return async () => {
    const session = await openSession(connectionString, lockTimeoutMs)
    if (session.isOwn)
      await look(session).catch((error: unknown) => {
        session.close()
        throw error
      })
    // A pooler may lead to another database at any time.
    const beside = session.isOwn ? 'null' : lastBatch
    const call = async (name: string, number: number, values: unknown[]) => {
      const { result, beside: before } = await session.call(name, values, beside)
      if (!session.isOwn) memory.look(toNumber(before), undefined)
      memory.confirm(number)
      return result
    }
    return {
      async reserve(number, items) {
        const text = await call('reserve_units', number, reserveArguments({ batcher, number }, limits, items))
        return readOutcome(text ?? '')
      },
      async release(number, releases) {
        await call('release_units', number, releaseArguments({ batcher, number }, releases))
      },
      recover: (number) => call('recover_batch', number, [batcher, number]),
      close: () => session.close(),
    }
  }
}

const timelineQuery = `
  select (pg_control_system()).system_identifier as system,
    ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int as number`

const toNumber = (text: string | null | undefined) => (text == null ? null : Number(text))
