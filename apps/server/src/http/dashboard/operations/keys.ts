import { z } from 'zod'
import * as actions from '../../../features/accounts/actions.ts'
import { readTerms } from '../../../features/entitlements/account-terms.ts'
import { getKeyRecord, listEndedKeys, listWorkingKeys } from '../../../features/metering/key-record-store.ts'
import { parseInstant } from '../../../platform/instant.ts'
import { DashboardError } from '../errors.ts'
import { data } from '../form.ts'
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
      data: ended.isFirst ? [...working, ...ended.rows] : ended.rows,
      active: working.filter(({ state }) => state === 'active').length,
      active_max: keysMax,
      ...ended.next,
    }
  },
)

export const createKey = forMembers.write(
  'POST /keys',
  { body: KeyInput, 201: data(NewKey), errors: ['key_limit_reached'] },
  async ({ member, body, act }, { db }) => {
    const accountId = member.account.id
    const { name, scope = 'all' } = body
    const expiresAt = parseExpiry(body.expires_at ?? null)
    const { keysMax } = await readTerms(db, accountId)
    return act(async (trx, by) => {
      const { id, key } = await actions.createKey(trx, by, { name, keysMax, scope, expiresAt })
      return { key, record: await getKeyRecord(trx, accountId, id) }
    })
  },
)

export const renameKey = forMembers.write(
  'PATCH /keys/{id}',
  { body: RenameInput, 200: data(Key), errors: ['not_found'] },
  ({ member, path, body, act }) =>
    act(async (trx, by) => {
      await actions.renameKey(trx, by, path.id, body.name)
      return getKeyRecord(trx, member.account.id, path.id)
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
  ({ member, path, body, act }) => {
    const expiresAt = parseExpiry(body.expires_at)
    return act(async (trx, by) => {
      await actions.setKeyExpiry(trx, by, path.id, expiresAt)
      return getKeyRecord(trx, member.account.id, path.id)
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
  ({ member, path, body, act }) =>
    act(async (trx, by) => {
      const { id, key } = await actions.rotateKey(trx, by, path.id, body.grace_seconds)
      return { key, record: await getKeyRecord(trx, member.account.id, id) }
    }),
)

export const revokeKey = forMembers.write(
  'POST /keys/{id}/revoke',
  { 200: data(Key), errors: ['not_found'] },
  ({ member, path, act }) =>
    act(async (trx, by) => {
      await actions.revokeKey(trx, by, path.id)
      return getKeyRecord(trx, member.account.id, path.id)
    }),
)
