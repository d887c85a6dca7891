import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { insertAccount } from '../src/features/accounts/account-store.ts'
import { recordRequests } from '../src/features/metering/request-store.ts'
import { createCustomer, createKey } from './support/actors.ts'
import { useDatabase } from './support/postgres.ts'
import { spend } from './support/fixtures.ts'
import {
  done,
  failed,
  rfc3339,
  type KeyDocument,
  type Named,
  type PackDocument,
  type UsageDocument,
  useCommands,
} from './support/commands.ts'

// The operator's commands as processes of their own, in both forms: lines for people, and --json.

const database = useDatabase()
const { isAccepted, run, runJson } = useCommands(database)

describe('accounts and keys', () => {
  test('accounts create and list, in both forms', async () => {
    const account = (await runJson(['accounts', 'create', '--name', 'Böhm & Söhne'])) as Named
    expect(account).toEqual({
      id: expect.stringMatching(/^acct_/) as string,
      name: 'Böhm & Söhne',
      created_at: expect.stringMatching(rfc3339) as string,
    })
    expect((await run(['accounts', 'create', '--name', 'Acme'])).stdout).toMatch(/^acct_\w+\n/)
    expect(await runJson(['accounts', 'list'])).toContainEqual(account)
    expect((await run(['accounts', 'list'])).stdout).toMatch(new RegExp(`${account.id} +Böhm & Söhne`))
  })

  test('a key is shown once, alone on stdout; the list has its prefix and last four', async () => {
    const { id } = await insertAccount(database.db, 'Acme')
    const people = await run(['keys', 'create', '--account', id, '--name', 'laptop'])
    expect(people.stdout).toMatch(/^rc_live_\w{36}\n$/)
    expect(people.stderr).toContain('shown only now')
    const made = (await runJson(['keys', 'create', '--account', id])) as KeyDocument
    expect(made).toMatchObject({ account_id: id, name: 'default', revoked_at: null, last_used_at: null })
    expect(made.key).toMatch(/^rc_live_\w{36}$/)

    const list = await run(['keys', 'list', '--account', id])
    const listed = (await runJson(['keys', 'list', '--account', id])) as KeyDocument[]
    expect(listed.map((key) => key.name)).toEqual(['laptop', 'default'])
    expect(listed[1]).toMatchObject({ prefix: 'rc_live_', last_four: made.key.slice(-4) })
    expect(list.stdout).toContain(`rc_live_…${made.key.slice(-4)}`)
    for (const key of [made.key, people.stdout.trim()]) {
      expect(list.stdout + JSON.stringify(listed)).not.toContain(key)
    }
  })

  test('an account has at most 2 active keys on the free plan and 10 on a paid one', async () => {
    const free = await createCustomer(database.db)
    await runJson(['keys', 'create', '--account', free.accountId])
    expect(await run(['keys', 'create', '--account', free.accountId])).toEqual(
      failed(/holds 2 active keys and its plan allows 2/),
    )
    const paid = await createCustomer(database.db, { plan: 'developer' })
    for (const _ of Array(8)) await createKey(database.db, paid.accountId)
    const [ninth, tenth] = await Promise.all([
      run(['keys', 'create', '--account', paid.accountId]),
      run(['keys', 'create', '--account', paid.accountId]),
    ])
    expect([ninth.exitCode, tenth.exitCode].sort()).toEqual([0, 1])
    expect(ninth.stderr + tenth.stderr).toContain('its plan allows 10')
  })

  test('revoke holds from now on; again it changes nothing', async () => {
    const { key, keyId } = await createCustomer(database.db)
    const revoked = (await runJson(['keys', 'revoke', keyId])) as KeyDocument
    expect(revoked).toMatchObject({ id: keyId, revoked_at: expect.stringMatching(rfc3339) as string })
    expect(await isAccepted(key)).toBe(false)
    expect(await run(['keys', 'revoke', keyId])).toEqual(done(`${keyId} is revoked.\n`))
    expect(await runJson(['keys', 'revoke', keyId])).toEqual(revoked)
    expect(await run(['keys', 'rotate', keyId])).toEqual(failed(/has ended/))
  })

  test('create takes an end and a scope, and expire sets another end', async () => {
    const { accountId } = await createCustomer(database.db, { plan: 'developer' })
    const words = ['keys', 'create', '--account', accountId, '--expires', '30d', '--scope', 'prices']
    const made = (await runJson(words)) as KeyDocument & { scope: string; expires_at: string }
    expect(made.scope).toBe('prices')
    const days = (Date.parse(made.expires_at) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(29.9)
    expect(days).toBeLessThanOrEqual(30)
    expect(await runJson(['keys', 'expire', made.id, 'never'])).toMatchObject({ expires_at: null })
    expect(await run(['keys', 'expire', made.id, '2020-01-01'])).toEqual(failed(/later than now/))
    expect((await run(['keys', 'expire', made.id, 'soon'])).exitCode).toBe(2)
    expect(await isAccepted(made.key)).toBe(true)
  })

  test('requests shows what an account asked, and nothing of another', async () => {
    const { accountId, keyId } = await createCustomer(database.db)
    const kind = { key_id: keyId, key_hash: undefined, operation: 'listPrices', status: 429, age_ms: 0 }
    const refused = { ...kind, error: 'quota_exceeded' }
    const line = { ...refused, id: 'req_1', target: '/v1/prices', duration_ms: 1.5 }
    const earlier = { ...line, id: 'req_0', age_ms: 1_000 }
    await recordRequests(database.db, [{ ...refused, requests: 7 }], [line, earlier])
    expect(await runJson(['requests', '--account', accountId, '--status', 'refused'])).toMatchObject({
      total: 7,
      listed: 2,
      requests: [
        { id: 'req_1', target: '/v1/prices', status: 429, error: 'quota_exceeded' },
        { id: 'req_0' },
      ],
      cut: null,
    })
    expect(await runJson(['requests', '--account', accountId, '--limit', '1'])).toMatchObject({
      requests: [{ id: 'req_1' }],
      cut: { shown: 1, all: '--limit 1000' },
    })
    expect((await run(['requests', '--account', accountId])).stdout).toContain('/v1/prices')
    const { accountId: other } = await createCustomer(database.db)
    expect((await run(['requests', '--account', other])).stdout).toMatch(/^No such requests/)
    expect(await run(['requests', '--account', other, '--key', keyId])).toEqual(failed(/no key/))
  })

  test('rotate stops the old key at once, or after its grace period; the counter goes on', async () => {
    const { key, keyId, ...customer } = await createCustomer(database.db)
    await spend(database.db, { key, keyId, ...customer }, 7)
    const second = (await runJson(['keys', 'rotate', keyId])) as KeyDocument
    expect([await isAccepted(key), await isAccepted(second.key)]).toEqual([false, true])

    const third = await run(['keys', 'rotate', second.id, '--grace', '30m'])
    expect(third.stdout).toMatch(/^rc_live_\w{36}\n$/)
    expect(await isAccepted(second.key)).toBe(true)
    const keys = (await runJson(['keys', 'list', '--account', customer.accountId])) as KeyDocument[]
    const graceMs = Date.parse(keys.find((each) => each.id === second.id)?.revoked_at ?? '') - Date.now()
    expect(graceMs).toBeGreaterThan(29 * 60_000)
    expect(graceMs).toBeLessThanOrEqual(30 * 60_000)

    const usage = (await runJson(['usage', '--account', customer.accountId])) as UsageDocument
    expect(usage.keys.map((each) => each.daily_quota.used)).toEqual([7, 7])
  })

  test.concurrent.each([
    ['keys', 'create', '--account', 'acct_none'],
    ['keys', 'list', '--account', 'acct_none'],
    ['keys', 'revoke', 'key_none'],
    ['keys', 'rotate', 'key_none'],
    ['subscriptions', 'set', '--account', 'acct_none', '--plan', 'team'],
    ['subscriptions', 'end', '--account', 'acct_none', '--plan', 'team'],
    ['usage', '--account', 'acct_none'],
    ['topups', 'grant', '--account', 'acct_none'],
    ['topups', 'list', '--account', 'acct_none'],
  ])('what does not exist is named: %s %s', async (...args) => {
    const { exitCode, stdout, stderr } = await run([...args, '--json'])
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(JSON.parse(stderr)).toEqual({
      error: 'failed',
      message: expect.stringMatching(/There is no (account|key) "\w+_none"/) as string,
    })
  })
})

describe('plans and packs', () => {
  test('a subscription counts in its period and no longer than until it is ended', async () => {
    const { id } = await insertAccount(database.db, 'Acme')
    const set = (plan: string, ...period: string[]) =>
      runJson(['subscriptions', 'set', '--account', id, '--plan', plan, ...period])

    expect(await run(['subscriptions', 'list', '--account', id])).toEqual(
      done('No paid plan: the account is on the free plan.\n'),
    )
    expect(await set('developer')).toMatchObject({
      id: `${id}/developer`,
      status: 'active',
      starts_at: expect.stringMatching(rfc3339) as string,
      ends_at: null,
      current: true,
    })
    expect(await set('scale', '--from', '2020-01-01', '--until', '2020-02-01')).toMatchObject({
      starts_at: '2020-01-01T00:00:00.000000Z',
      ends_at: '2020-02-01T00:00:00.000000Z',
      current: false,
    })
    expect(await set('team', '--from', '2999-01-01T01:00:00+01:00')).toMatchObject({
      starts_at: '2999-01-01T00:00:00.000000Z',
      current: false,
    })
    expect(await set('enterprise', '--until', '2020-01-01')).toMatchObject({ current: false })
    const reversed = ['--from', '2026-02-01', '--until', '2026-01-01']
    const setTeam = ['subscriptions', 'set', '--account', id, '--plan', 'team']
    expect(await run([...setTeam, ...reversed])).toEqual(failed(/cannot end before it starts/))

    const list = (await runJson(['subscriptions', 'list', '--account', id])) as {
      plan: string
      current: boolean
    }[]
    expect(list.filter(({ current }) => current).map(({ plan }) => plan)).toEqual(['developer'])
    expect((await run(['subscriptions', 'list', '--account', id])).stdout).toMatch(/team +no .* open/)

    const end = ['subscriptions', 'end', '--account', id, '--plan']
    expect((await run([...end, 'developer'])).stdout).toContain('not current')
    expect(await runJson([...end, 'developer'])).toMatchObject({ status: 'ended', current: false })
    // Its future never comes: an end that has not begun is over too.
    expect(await runJson([...end, 'team'])).toMatchObject({ status: 'ended', current: false })
    const { accountId } = await createCustomer(database.db)
    expect(await run(['subscriptions', 'end', '--account', accountId, '--plan', 'team'])).toEqual(
      failed(/has no team subscription/),
    )
    expect((await run(setTeam)).stdout).toMatch(/^team for acct_\w+: from .* UTC, open-ended, current\.\n$/)
  })

  test('a pack has 50,000 requests and 30 days, unless told otherwise', async () => {
    const { accountId } = await createCustomer(database.db)
    const grant = ['topups', 'grant', '--account', accountId]
    expect(await run(['topups', 'list', '--account', accountId])).toMatchObject({
      stdout: expect.stringMatching(/^No packs/) as string,
    })
    const usual = (await runJson(grant)) as PackDocument
    expect(usual).toMatchObject({ units: 50_000, remaining: 50_000 })
    expect(Date.parse(usual.expires_at) - Date.parse(usual.purchased_at)).toBe(30 * 86_400_000)
    const times = ['--purchased-at', '2026-01-31T12:00:00.123456+02:00', '--expires-at', '2999-01-01']
    expect(await runJson([...grant, '--requests', '3', ...times])).toMatchObject({
      units: 3,
      purchased_at: '2026-01-31T10:00:00.123456Z',
      expires_at: '2999-01-01T00:00:00.000000Z',
    })
    expect(await runJson([...grant, '--purchased-at', '2020-01-01'])).toMatchObject({
      expires_at: '2020-01-31T00:00:00.000000Z',
    })
    expect(await run([...grant, '--expires-at', '2020-01-01'])).toEqual(failed(/cannot expire before/))
    expect((await run([...grant, '--requests', '9'])).stdout).toMatch(/^pack_\w+: 9 requests until /)

    const packs = (await runJson(['topups', 'list', '--account', accountId])) as PackDocument[]
    expect(packs.map((pack) => pack.units)).toEqual([50_000, 3, 50_000, 9])
    expect((await run(['topups', 'list', '--account', accountId])).stdout).toContain('2026-01-31 10:00:00')
    const usage = (await runJson(['usage', '--account', accountId])) as UsageDocument
    expect(usage).toMatchObject({ id: accountId, plans: ['free'], topup: { remaining: 50_012 } })
    expect((await run(['usage', '--account', accountId])).stdout).toContain('Packs hold 50012 requests.')
  })

  test('ledger verify exits with 0 while all balances agree, with 1 and the difference when not', async () => {
    const customer = await createCustomer(database.db)
    await spend(database.db, customer, 5)
    expect(await runJson(['ledger', 'verify'])).toMatchObject({ ok: true, differences: [] })
    expect((await run(['ledger', 'verify'])).stdout).toMatch(/^All balances agree/)
    await sql`update usage_days set plan_used = 4 where quota_subject = ${customer.keyId}`.execute(
      database.db,
    )
    const [people, machine] = [await run(['ledger', 'verify']), await run(['ledger', 'verify', '--json'])]
    await sql`update usage_days set plan_used = 5 where quota_subject = ${customer.keyId}`.execute(
      database.db,
    )
    expect(people.exitCode).toBe(1)
    expect(people.stdout).toMatch(new RegExp(`counter ${customer.keyId} on .*plan_used +4 +5`))
    expect(machine.exitCode).toBe(1)
    expect(JSON.parse(machine.stdout)).toMatchObject({
      ok: false,
      differences: [{ balance: 'plan_used', stored: 4, derived: 5 }],
    })
  })
})
