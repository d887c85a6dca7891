import { sql } from 'kysely'
import type { Trx } from '../../database/connect.ts'
import { lockList } from '../../database/writer-lock.ts'
import { chunksOf } from '../../platform/chunks.ts'
import { newId } from '../../platform/ids.ts'
import { rowCheck } from '../../platform/row-check.ts'
import { UserError } from '../../platform/user-error.ts'
import { mendChange } from './change-check.ts'
import type { ChangeInput } from './change-input.ts'

/**
 * Publishes changes in the order given, all or none, and returns their ids. Each has its own `updated_at`, in
 * that order.
 * @param runId the run of a price source that found them
 * @throws UserError when an id exists already, or a change is not as the contract says
 */
export async function publishChanges(
  trx: Trx,
  changes: readonly ChangeInput[],
  { runId = null }: { runId?: string | null } = {},
): Promise<string[]> {
  await refuseUnshowable(changes)
  const first = await lockList(trx, 'changes')
  await refuseKnownIds(trx, changes)
  const ids = changes.map((change) => change.id ?? newId('chg'))
  const instantOf = (index: number) =>
    sql<string>`${first}::timestamptz + ${index}::bigint * interval '1 microsecond'`
  const rows = changes.map(({ alternatives: _, ...change }, index) => {
    const instant = instantOf(index)
    return {
      ...change,
      id: ids[index]!,
      run_id: runId,
      first_seen: change.first_seen ?? instant,
      last_seen: change.last_seen ?? change.first_seen ?? instant,
      created_at: instant,
      updated_at: instant,
    }
  })
  const alternatives = changes.flatMap(({ alternatives = [] }, index) =>
    alternatives.map((alternative) => ({
      ...alternative,
      id: newId('alt'),
      change_id: ids[index]!,
      created_at: instantOf(index),
    })),
  )
  for (const chunk of chunksOf(rows, chunkRows)) await trx.insertInto('changes').values(chunk).execute()
  for (const chunk of chunksOf(alternatives, chunkRows))
    await trx.insertInto('change_alternatives').values(chunk).execute()
  return ids
}

/** PostgreSQL takes 65,535 parameters in a statement; a change has some 30. */
const chunkRows = 500

async function refuseUnshowable(changes: readonly ChangeInput[]): Promise<void> {
  const check = await rowCheck()
  const problems = changes.flatMap((change, index) => {
    const { complaints } = mendChange(check, change)
    return complaints.map((complaint) => `change ${index + 1}: ${complaint}`)
  })
  if (problems.length > 0) throw new UserError(`Nothing was published.\n${problems.join('\n')}`)
}

async function refuseKnownIds(trx: Trx, changes: readonly ChangeInput[]): Promise<void> {
  const ids = changes.flatMap((change) => change.id ?? [])
  const known = await trx
    .selectFrom('changes')
    .select('id')
    .where('id', '=', sql<string>`any(${ids})`)
    .orderBy('id')
    .execute()
  if (known.length > 0) {
    const names = known.map(({ id }) => `"${id}"`).join(', ')
    throw new UserError(
      `Nothing was published. ${known.length === 1 ? 'This id is' : 'These ids are'} published already: ${names}.`,
    )
  }
}
