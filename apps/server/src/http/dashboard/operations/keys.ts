import { z } from 'zod'
import * as actions from '../../../features/accounts/actions.ts'
import { readTerms } from '../../../features/entitlements/account-terms.ts'
import { getKeyRecord, listEndedKeys, listWorkingKeys } from '../../../features/metering/key-record-store.ts'
import { parseInstant } from '../../../platform/instant.ts'
import { DashboardError } from '../errors.ts'
import { data } from '../form.ts'
import { toActing } from '../member.ts'
import { forMembers } from '../operation.ts'
import { readPage } from '../read-page.ts'
import { OptionalTimestamp, PageQuery, RenameInput } from '../schemas/common.ts'
import { Key, KeyInput, KeyList, NewKey } from '../schemas/keys.ts'

export const listKeys = forMembers.read(
  'GET /keys',
  { query: PageQuery, 200: KeyList },
  async ({ member, query }, { db }) => {
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
  },
)

export const createKey = forMembers.write(
  'POST /keys',
  { body: KeyInput, 201: data(NewKey), errors: ['key_limit_reached'] },
  async ({ member, body }, { db }) => {
    const accountId = member.account.id
    const { name, scope = 'all' } = body
    const expiresAt = parseExpiry(body.expires_at ?? null)
    const { keysMax } = await readTerms(db, accountId)
    return db.transaction().execute(async (trx) => {
      const { id, key } = await actions.createKey(trx, toActing(member), { name, keysMax, scope, expiresAt })
      return { status: 201, body: { data: { key, record: await getKeyRecord(trx, accountId, id) } } }
    })
  },
)

export const renameKey = forMembers.write(
  'PATCH /keys/{id}',
  { body: RenameInput, 200: data(Key), errors: ['not_found'] },
  async ({ member, path, body }, { db }) =>
    db.transaction().execute(async (trx) => {
      await actions.renameKey(trx, toActing(member), path.id, body.name)
      return { status: 200, body: { data: await getKeyRecord(trx, member.account.id, path.id) } }
    }),
)

export const setKeyExpiry = forMembers.write(
  'POST /keys/{id}/expiry',
  {
    body: z.strictObject({
      /** From when on it is refused, within five years; null: never. */
      expires_at: OptionalTimestamp,
    }),
    200: data(Key),
    errors: ['not_found', 'conflict'],
  },
  async ({ member, path, body }, { db }) => {
    const expiresAt = parseExpiry(body.expires_at)
    return db.transaction().execute(async (trx) => {
      await actions.setKeyExpiry(trx, toActing(member), path.id, expiresAt)
      return { status: 200, body: { data: await getKeyRecord(trx, member.account.id, path.id) } }
    })
  },
)

/** The contract knows how an instant is spelled; not every spelling is a day of the calendar. */
function parseExpiry(text: string | null): string | null {
  if (text === null) return null
  const instant = parseInstant(text)
  if (instant === null) {
    throw new DashboardError('invalid_request', { message: 'The time is no instant of the calendar.' })
  }
  return instant
}

export const rotateKey = forMembers.write(
  'POST /keys/{id}/rotate',
  {
    body: z.strictObject({
      /** Seconds for which the old key goes on working, sharing the daily quota of the new one. */
      grace_seconds: z.int().min(0).max(86400).default(0),
    }),
    201: data(NewKey),
    errors: ['not_found', 'conflict'],
  },
  async ({ member, path, body }, { db }) =>
    db.transaction().execute(async (trx) => {
      const { id, key } = await actions.rotateKey(trx, toActing(member), path.id, body.grace_seconds)
      return { status: 201, body: { data: { key, record: await getKeyRecord(trx, member.account.id, id) } } }
    }),
)

export const revokeKey = forMembers.write(
  'POST /keys/{id}/revoke',
  { 200: data(Key), errors: ['not_found'] },
  async ({ member, path }, { db }) =>
    db.transaction().execute(async (trx) => {
      await actions.revokeKey(trx, toActing(member), path.id)
      return { status: 200, body: { data: await getKeyRecord(trx, member.account.id, path.id) } }
    }),
)
