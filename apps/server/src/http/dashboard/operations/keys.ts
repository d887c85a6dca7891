import * as actions from '../../../features/accounts/actions.ts'
import { readTerms } from '../../../features/entitlements/account-terms.ts'
import {
  getKeyRecord,
  listRevokedKeys,
  listWorkingKeys,
} from '../../../features/metering/key-record-store.ts'
import { actingOf } from '../member.ts'
import type { Operation } from '../operation.ts'
import { readPage } from '../read-page.ts'

export const listKeys: Operation<'listKeys'> = async ({ member, query }, { db, plans }) => {
  const accountId = member.account.id
  const [working, revoked, { keysMax }] = await Promise.all([
    listWorkingKeys(db, accountId),
    readPage(
      query,
      (from) => listRevokedKeys(db, accountId, from),
      ({ revoked_at, id }) => ({ updatedAt: revoked_at ?? '', id }),
    ),
    readTerms(db, plans, accountId),
  ])
  return {
    status: 200,
    body: {
      data: revoked.isFirst ? [...working, ...revoked.rows] : revoked.rows,
      active: working.filter(({ state }) => state === 'active').length,
      active_max: keysMax,
      ...revoked.next,
    },
  }
}

export const createKey: Operation<'createKey'> = async ({ member, body: { name } }, { db, plans }) => {
  const accountId = member.account.id
  const { keysMax } = await readTerms(db, plans, accountId)
  return db.transaction().execute(async (trx) => {
    const { id, key } = await actions.createKey(trx, actingOf(member), { name, keysMax })
    return { status: 201, body: { data: { key, record: await getKeyRecord(trx, accountId, id) } } }
  })
}

export const renameKey: Operation<'renameKey'> = async ({ member, path, body }, { db }) =>
  db.transaction().execute(async (trx) => {
    await actions.renameKey(trx, actingOf(member), path.id, body.name)
    return { status: 200, body: { data: await getKeyRecord(trx, member.account.id, path.id) } }
  })

export const rotateKey: Operation<'rotateKey'> = async ({ member, path, body }, { db }) =>
  db.transaction().execute(async (trx) => {
    const { id, key } = await actions.rotateKey(trx, actingOf(member), path.id, body.grace_seconds ?? 0)
    return { status: 201, body: { data: { key, record: await getKeyRecord(trx, member.account.id, id) } } }
  })

export const revokeKey: Operation<'revokeKey'> = async ({ member, path }, { db }) =>
  db.transaction().execute(async (trx) => {
    await actions.revokeKey(trx, actingOf(member), path.id)
    return { status: 200, body: { data: await getKeyRecord(trx, member.account.id, path.id) } }
  })
