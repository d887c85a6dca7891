import * as actions from '../../../features/accounts/actions.ts'
import { readTerms } from '../../../features/entitlements/account-terms.ts'
import { getKeyRecord, listEndedKeys, listWorkingKeys } from '../../../features/metering/key-record-store.ts'
import { parseInstant } from '../../../platform/instant.ts'
import { DashboardError } from '../errors.ts'
import { actingOf } from '../member.ts'
import { forMembers } from '../operation.ts'
import { readPage } from '../read-page.ts'

export const listKeys = forMembers.read<'listKeys'>(async ({ member, query }, { db }) => {
  const accountId = member.account.id
  const [working, ended, { keysMax }] = await Promise.all([
    listWorkingKeys(db, accountId),
    readPage(
      query,
      (from) => listEndedKeys(db, accountId, from),
      ({ ends_at, id }) => ({ updatedAt: ends_at ?? '', id }),
    ),
    readTerms(db, accountId),
  ])
  return {
    status: 200,
    body: {
      data: ended.isFirst ? [...working, ...ended.rows] : ended.rows,
      active: working.filter(({ state }) => state === 'active').length,
      active_max: keysMax,
      ...ended.next,
    },
  }
})

export const createKey = forMembers.write<'createKey'>(async ({ member, body }, { db }) => {
  const accountId = member.account.id
  const { name, scope = 'all' } = body
  const expiresAt = instantOf(body.expires_at ?? null)
  const { keysMax } = await readTerms(db, accountId)
  return db.transaction().execute(async (trx) => {
    const { id, key } = await actions.createKey(trx, actingOf(member), { name, keysMax, scope, expiresAt })
    return { status: 201, body: { data: { key, record: await getKeyRecord(trx, accountId, id) } } }
  })
})

export const renameKey = forMembers.write<'renameKey'>(async ({ member, path, body }, { db }) =>
  db.transaction().execute(async (trx) => {
    await actions.renameKey(trx, actingOf(member), path.id, body.name)
    return { status: 200, body: { data: await getKeyRecord(trx, member.account.id, path.id) } }
  }),
)

export const setKeyExpiry = forMembers.write<'setKeyExpiry'>(async ({ member, path, body }, { db }) => {
  const expiresAt = instantOf(body.expires_at)
  return db.transaction().execute(async (trx) => {
    await actions.setKeyExpiry(trx, actingOf(member), path.id, expiresAt)
    return { status: 200, body: { data: await getKeyRecord(trx, member.account.id, path.id) } }
  })
})

/** The contract knows how an instant is spelled; not every spelling is a day of the calendar. */
function instantOf(text: string | null): string | null {
  if (text === null) return null
  const instant = parseInstant(text)
  if (instant === null) {
    throw new DashboardError('invalid_request', { message: 'The time is no instant of the calendar.' })
  }
  return instant
}

export const rotateKey = forMembers.write<'rotateKey'>(async ({ member, path, body }, { db }) =>
  db.transaction().execute(async (trx) => {
    const { id, key } = await actions.rotateKey(trx, actingOf(member), path.id, body.grace_seconds ?? 0)
    return { status: 201, body: { data: { key, record: await getKeyRecord(trx, member.account.id, id) } } }
  }),
)

export const revokeKey = forMembers.write<'revokeKey'>(async ({ member, path }, { db }) =>
  db.transaction().execute(async (trx) => {
    await actions.revokeKey(trx, actingOf(member), path.id)
    return { status: 200, body: { data: await getKeyRecord(trx, member.account.id, path.id) } }
  }),
)
