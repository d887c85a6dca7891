import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Command } from 'commander'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { plansOf } from '../src/database-server.ts'
import { main } from '../src/bin/ratecard.ts'
import { createProgram } from '../src/commands/index.ts'
import { migrate } from '../src/database/migrate.ts'
import { insertAccount } from '../src/features/accounts/account-store.ts'
import { findCaller } from '../src/features/entitlements/caller-store.ts'
import { generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import { readConfig, variables } from '../src/platform/config.ts'
import { connect } from '../src/database/connect.ts'
import { createCustomer, createKey } from './support/actors.ts'
import { createDatabase, dropDatabase, urlOfDatabase, useDatabase } from './support/postgres.ts'
import { ratecard, startServer, type CommandResult } from './support/process.ts'
import { changeFile, spend } from './support/fixtures.ts'

// The operator's commands as processes of their own, in both forms: lines for people, and --json.

const database = useDatabase()
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}
const folder = mkdtempSync(join(tmpdir(), 'ratecard-commands-'))
afterAll(() => rmSync(folder, { recursive: true }))

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/
const inASecond = { timeout: 10_000, interval: 50 }

describe('each command', () => {
  const leaves = leavesOf(createProgram())

  test('there are these commands', () => {
    expect(leaves.map((words) => words.join(' ')).sort()).toEqual(
      [
        ...['serve', 'start', 'migrate', 'config check'],
        ...['accounts create', 'accounts list', 'accounts invite', 'members reset-second-factor'],
        ...['keys create', 'keys list', 'keys revoke', 'keys rotate', 'usage', 'topups grant', 'topups list'],
        ...['subscriptions set', 'subscriptions end', 'subscriptions list', 'ledger verify'],
        ...['prices import', 'prices list', 'prices history', 'prices as-of'],
        ...['changes publish', 'changes list', 'changes export'],
        ...['feed run', 'feed status', 'feed disagreements', 'feed due'],
        ...['feed review list', 'feed review accept', 'feed review reject'],
        ...['worker', 'secrets rotate', 'webhooks list', 'webhooks enable', 'webhooks test'],
        'webhooks standard-headers',
        ...['deliveries list', 'deliveries show', 'deliveries resend', 'deliveries explain'],
      ].sort(),
    )
  })

  test.each(leaves.map((words) => [words.join(' '), words] as const))(
    '%s answers --help and --version with 0, and an unknown option with 2 and nothing on stdout',
    async (_, words) => {
      const help = await runHere([...words, '--help'])
      expect([help.exitCode, help.stderr]).toEqual([0, ''])
      expect(help.stdout).toContain(`Usage: ratecard ${words.join(' ')}`)
      for (const option of ['--json', '--version', '--help']) expect(help.stdout).toContain(option)

      expect(await runHere([...words, '--version'])).toEqual(done(`${version}\n`))

      const { exitCode, stdout, stderr } = await runHere([...words, '--nonsense', '--json'])
      expect([exitCode, stdout]).toEqual([2, ''])
      expect(JSON.parse(stderr)).toEqual({
        error: 'invalid_usage',
        // Commander reports a missing argument before an excess one.
        message: expect.stringMatching(/--nonsense|not specified/) as string,
      })
    },
  )

  test('a group has --help and --version, and without a command its help is on stderr', async () => {
    expect((await ratecard(['accounts', '--help'], {})).stdout).toContain('Usage: ratecard accounts')
    expect(await ratecard(['--version'], {})).toEqual(done(`${version}\n`))
    expect(await runHere(['accounts', '--version'])).toEqual(done(`${version}\n`))
    for (const words of [[], ['accounts']]) {
      const { exitCode, stdout, stderr } = await runHere(words)
      expect([exitCode, stdout]).toEqual([2, ''])
      expect(stderr).toMatch(/^Usage: ratecard.*Error: No command given/s)
    }
  })

  test.each([
    ['an unknown command', ['nonsense'], /nonsense/],
    ['a missing option', ['keys', 'create'], /--account/],
    ['a missing argument', ['keys', 'revoke'], /key-id/],
    ['one argument too many', ['accounts', 'list', 'x'], /too many/],
    ['an empty name', ['accounts', 'create', '--name', ' '], /1 to 200/],
    ['a plan there is not', ['subscriptions', 'set', '--account', 'a', '--plan', 'free'], /developer, scale/],
    [
      'a day there is not',
      ['subscriptions', 'set', '--account', 'a', '--plan', 'team', '--from', '2026-02-30'],
      /2026-01-31/,
    ],
    ['a count of 0', ['topups', 'grant', '--account', 'a', '--requests', '0'], /whole number/],
    ['a count that is a float', ['prices', 'list', '--limit', '1e3'], /whole number/],
    ['a grace of days', ['keys', 'rotate', 'k', '--grace', '2d'], /30m/],
    ['a source there is not', ['prices', 'import', '--source', 'x'], /genai-prices, litellm/],
    [
      'a file and a URL',
      ['prices', 'import', '--source', 'litellm', '--file', 'x', '--url', 'http://x'],
      /conflict|cannot be used/,
    ],
  ])('used wrongly exits with 2: %s', async (_, args, message) => {
    const { exitCode, stdout, stderr } = await runHere(args)
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^Error: /)
    expect(stderr).toMatch(message)
  })
})

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
    const raised = await ratecard(['keys', 'create', '--account', free.accountId, '--json'], {
      ...env(),
      KEYS_MAX_FREE: '3',
    })
    expect(raised.exitCode).toBe(0)
  })

  test('revoke holds from now on; again it changes nothing', async () => {
    const { key, keyId } = await createCustomer(database.db)
    const revoked = (await runJson(['keys', 'revoke', keyId])) as KeyDocument
    expect(revoked).toMatchObject({ id: keyId, revoked_at: expect.stringMatching(rfc3339) as string })
    expect(await isAccepted(key)).toBe(false)
    expect(await run(['keys', 'revoke', keyId])).toEqual(done(`${keyId} is revoked.\n`))
    expect(await runJson(['keys', 'revoke', keyId])).toEqual(revoked)
    expect(await run(['keys', 'rotate', keyId])).toEqual(failed(/revoked already/))
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

describe('prices', () => {
  test('import from the package, a file and an address; list with filters', async () => {
    const importing = ['prices', 'import', '--source']
    expect((await run(['prices', 'list'])).stdout).toMatch(/^No prices match/)
    const dry = (await runJson([...importing, 'genai-prices', '--dry-run'])) as ImportDocument
    expect(dry).toMatchObject({ source: 'genai-prices', dry_run: true, changed: 0 })
    expect(await runJson(['prices', 'list'])).toEqual([])
    const people = await run([...importing, 'genai-prices'])
    expect(people.stdout).toMatch(
      new RegExp(`genai-prices +applied +\\S+ +\\d+ +${dry.added} +0 +0 +${dry.rejected}`),
    )
    expect(await runJson([...importing, 'genai-prices'])).toMatchObject({ added: 0, unchanged: dry.added })
    expect((await run([...importing, 'genai-prices', '--dry-run'])).stdout).toContain('Nothing was written')

    const file = await fileWith('prices.json', {
      'acme-1': { litellm_provider: 'acme', mode: 'chat', input_cost_per_token: 2e-7 },
      'acme-2': { litellm_provider: 'acme', mode: 'chat', input_cost_per_token: -5 },
    })
    const text = readFileSync(file)
    const shown = await ratecard([...importing, 'litellm', '--file', basename(file), '--json'], {
      ...env(),
      INIT_CWD: dirname(file),
    })
    expect(JSON.parse(shown.stdout)).toMatchObject({
      added: 1,
      rejections: [{ id: 'acme-2', reason: expect.stringContaining('negative') as string }],
    })
    const site = createServer((request, response) => {
      response.statusCode = request.url === '/prices.json' ? 200 : 404
      response.end(text)
    }).listen(0, '127.0.0.1')
    await expect.poll(() => site.address(), inASecond).not.toBeNull()
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    expect(await runJson([...importing, 'litellm', '--url', `${url}/prices.json`])).toMatchObject({
      unchanged: 1,
    })
    await new Promise((resolve) => site.close(resolve))
    const openai = (await runJson([
      'prices',
      'list',
      '--vendor',
      'openai',
      '--limit',
      '5',
    ])) as PriceDocument[]
    expect(openai).toHaveLength(5)
    expect(openai.every((row) => row.id === row.resource_id && row.vendor === 'openai')).toBe(true)
    expect(openai.every((row) => rfc3339.test(row.updated_at))).toBe(true)
    const list = await run(['prices', 'list', '--limit', '3'])
    expect(list.stdout).toMatch(/acme:acme-1 .* 0\.2 /)
    expect(list.stderr).toContain('There are more: --limit 30')
  })
})

describe('publishing changes', () => {
  const publish = ['changes', 'publish']

  test('one object or an array, newest last; each answer names the ids', async () => {
    expect((await run(['changes', 'list'])).stdout).toMatch(/^No changes yet/)
    const one = await fileWith('one.json', changeFile({ id: 'one', first_seen: '2026-01-31T12:00:00+01:00' }))
    expect(await runJson([...publish, one])).toEqual([{ id: 'one', title: 'Alpha is cheaper' }])
    const two = await fileWith('two.json', [
      changeFile({ alternatives: [alternative] }),
      changeFile({ id: 'three', category: 'incident', source_url: 'https://acme.example/x' }),
    ])
    expect((await run([...publish, two, '--no-alert'])).stdout).toMatch(/chg_\w+ .*\nthree /)
    const list = (await runJson(['changes', 'list'])) as Record<string, unknown>[]
    expect(list.map(({ id }) => id)).toEqual(['three', expect.stringMatching(/^chg_/), 'one'])
    expect(list[2]).toMatchObject({
      first_seen: '2026-01-31T11:00:00.000000Z',
      last_seen: '2026-01-31T11:00:00.000000Z',
    })
    expect(list[1]).toMatchObject({ alternatives: [alternative] })
    const limited = await run(['changes', 'list', '--limit', '1'])
    expect(limited.stdout).toMatch(/three/)
    expect(limited.stdout).not.toContain('There are more')
    expect(limited.stderr).toContain('There are more: --limit 10')
  })

  test('all or nothing: each bad field of each change is named, and none is published', async () => {
    const before = await runJson(['changes', 'list'])
    const file = await fileWith('bad.json', [
      changeFile({ id: 'good' }),
      changeFile({ severity: 6, title: ' ', impact_score: 1.5, verified_at: '2026-02-30' }),
      changeFile({ vendr: 'acme', access: 'full', updated_at: '2026-01-01T00:00:00Z', view_count: 3 }),
      changeFile({ alternatives: [{ ...alternative, migration_effort: 'none' }] }),
      { vendor: 'acme' },
      7,
    ])
    const { exitCode, stdout, stderr } = await run([...publish, file])
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^Error: Nothing was published\.\n/)
    for (const line of [
      'change 2: severity:',
      'change 2: title:',
      'change 2: impact_score:',
      'change 2: verified_at:',
      'change 3: vendr is not a field of a change',
      'change 3: access is assigned when the change is published; leave it out',
      'change 3: updated_at is assigned',
      'change 3: view_count is assigned',
      'change 4: alternatives.0.migration_effort:',
      'change 5: product:',
      'change 5: summary:',
      'change 6: it:',
    ]) {
      expect(stderr).toContain(line)
    }
    expect(stderr).not.toContain('change 1:')
    expect(await runJson(['changes', 'list'])).toEqual(before)
  })

  test('an id twice in the file or published before is refused by name', async () => {
    const twice = await fileWith('twice.json', [changeFile({ id: 'twin' }), changeFile({ id: 'twin' })])
    expect(await run([...publish, twice])).toEqual(failed(/id "twin" stands in the file more than once/))
    const once = await fileWith('once.json', changeFile({ id: 'known' }))
    await runJson([...publish, once])
    const again = await fileWith('again.json', [changeFile({ id: 'new' }), changeFile({ id: 'known' })])
    expect(await run([...publish, again])).toEqual(failed(/This id is published already: "known"/))
    const ids = ((await runJson(['changes', 'list'])) as { id: string }[]).map(({ id }) => id)
    expect(ids).toContain('known')
    expect(ids).not.toContain('new')
    expect(ids).not.toContain('twin')
  })

  test('what is no file of changes is refused with a reason', async () => {
    const empty = await fileWith('empty.json', [])
    expect(await run([...publish, empty])).toEqual(failed(/holds no change/))
    await writeFile(join(folder, 'broken.json'), '{"vendor":')
    expect(await run([...publish, join(folder, 'broken.json')])).toEqual(failed(/is not valid JSON/))
    expect(await run([...publish, folder])).toEqual(failed(/Cannot read .*: it is a folder/))
    expect(await run([...publish, '/none.json'])).toEqual(failed(/there is no such file/))
  })
})

describe('the database of the commands', () => {
  const name = `ratecard_empty_${process.pid}`
  beforeAll(() => createDatabase(inject('postgresUrl'), name))
  afterAll(() => dropDatabase(inject('postgresUrl'), name))

  test('an empty one is migrated by what needs it; serve --no-migrate refuses; --status only looks', async () => {
    const empty = {
      DATABASE_URL: urlOfDatabase(inject('postgresUrl'), name),
      SECRETS_KEY: generateSecretsKey(),
    }
    const status = await ratecard(['migrate', '--status', '--json'], empty)
    expect(JSON.parse(status.stdout)).toContainEqual({ id: '0001_accounts', executed_at: null })
    expect((await ratecard(['migrate', '--status'], empty)).stdout).toMatch(/0001_accounts +not yet/)
    const refused = await ratecard(['serve', '--no-migrate', '--json'], {
      ...empty,
      PORT: '0',
      ADMIN_PORT: '0',
    })
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('The database lacks migrations: 0001_accounts')

    const first = await ratecard(['accounts', 'list', '--json'], empty)
    expect(first).toEqual({
      exitCode: 0,
      stdout: '[]\n',
      stderr: expect.stringMatching(/^Migrated the database: 0001_accounts/) as string,
    })
    expect((await ratecard(['accounts', 'list'], empty)).stdout).toMatch(/^No accounts yet/)
    expect(await ratecard(['migrate', '--json'], empty)).toEqual(done('[]\n'))
    expect(await ratecard(['migrate'], empty)).toEqual(done('The database is up to date.\n'))
    const after = JSON.parse((await ratecard(['migrate', '--status', '--json'], empty)).stdout) as {
      executed_at: string
    }[]
    expect(after.every(({ executed_at }) => rfc3339.test(executed_at))).toBe(true)
    const db = connect({ connectionString: empty.DATABASE_URL })
    expect(await migrate(db)).toEqual([])
    await db.destroy()
  })

  test.concurrent.each([
    ['nobody listens', 'postgres://ratecard:hunter22@127.0.0.1:1/ratecard', /ECONNREFUSED/],
    ['no such host', 'postgres://ratecard:hunter22@nowhere.invalid/ratecard', /nowhere\.invalid/],
    ['no URL', 'hunter22', /DATABASE_URL must be a URL such as/],
    ['another database', 'mysql://ratecard:hunter22@127.0.0.1/ratecard', /DATABASE_URL must be a URL/],
    ['a bad escape', 'postgres://ratecard:hunter22%zz@127.0.0.1:1/ratecard', /ECONNREFUSED|DATABASE_URL/],
  ])('a wrong DATABASE_URL is said clearly and not shown: %s', async (_, url, message) => {
    const { exitCode, stdout, stderr } = await ratecard(['accounts', 'list', '--json'], {
      DATABASE_URL: url,
    })
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
    expect(stderr).toContain('DATABASE_URL')
    expect(stderr).not.toContain('hunter22')
    expect(stderr).not.toContain('fault of ours')
  })

  test('a database that is not there, and a wrong password: said clearly', async () => {
    const missing = urlOfDatabase(inject('postgresUrl'), 'nowhere_to_be_found')
    expect(await ratecard(['usage', '--account', 'x'], { DATABASE_URL: missing })).toEqual(
      failed(/"nowhere_to_be_found" does not exist/),
    )
    const wrong = new URL(database.url)
    if (wrong.password === '') return
    wrong.password = 'hunter22'
    const refused = await ratecard(['accounts', 'list'], { DATABASE_URL: wrong.href })
    expect(refused).toEqual(failed(/password authentication failed/))
    expect(refused.stderr).not.toContain('hunter22')
  })
})

describe('settings', () => {
  test('with DATABASE_URL serve needs SECRETS_KEY and says so; other commands do not', async () => {
    for (const command of ['serve', 'start']) {
      const { exitCode, stdout, stderr } = await ratecard([command, '--json'], {
        ...env(),
        PORT: '0',
        ADMIN_PORT: '0',
      })
      expect([exitCode, stdout]).toEqual([1, ''])
      expect(stderr).toContain('SECRETS_KEY is not set')
    }
    expect((await run(['config', 'check'])).exitCode).toBe(0)
  })

  const wrongValues: readonly (readonly [name: string, value: string])[] = [
    ...['PORT', 'ADMIN_PORT'].map((name) => [name, '65536'] as const),
    ['DATABASE_URL', 'localhost:5432/hunter22'],
    ['DATABASE_POOL_SIZE', '0'],
    ['SECRETS_KEY', 'hunter22'],
    ['PUBLIC_URL', 'ratecard.example'],
    ['UPGRADE_URL', 'javascript:alert(1)'],
    ['TOPUP_URL', '/topup'],
    ['CORS_ORIGINS', 'https://app.example/'],
    ['LOG_LEVEL', 'loud'],
    ...['SCALE', 'TEAM', 'ENTERPRISE'].map((plan) => [`DAILY_LIMIT_${plan}`, '-1'] as const),
    ['KEYS_MAX_FREE', 'two'],
    ['KEYS_MAX_PAID', '1e3'],
    ['WEBHOOK_ALLOW_CIDRS', '10.0.0.0/33'],
    ['FEED_SOURCES', '[{"source":"litellm"}]'],
    ['ALERT_MIN_SEVERITY', '9'],
  ]
  test.each(wrongValues)('a wrong %s stops the start and is named', (name, value) => {
    const named = new RegExp(`^${name} must be `)
    expect(() => readConfig({ [name]: value })).toThrow(named)
    expect(() => readConfig({ [name]: value })).not.toThrow(/hunter22/)
  })

  test.each(['serve', 'worker', 'start', 'config check'])(
    'a source there is not in FEED_SOURCES stops %s before it begins',
    async (command) => {
      vi.stubEnv('FEED_SOURCES', '[{"source":"none","every":"1h"}]')
      const result = await runHere(command.split(' '))
      vi.unstubAllEnvs()
      expect([result.exitCode, result.stdout]).toEqual([1, ''])
      expect(result.stderr).toMatch(/Error: FEED_SOURCES names "none", and the sources are genai-prices, /)
    },
  )

  test('several wrong ones stop serve together, in either form', async () => {
    const wrong = { PORT: 'x', LOG_LEVEL: 'x', SECRETS_KEY: 'hunter22' }
    const people = await ratecard(['serve'], wrong)
    expect([people.exitCode, people.stdout]).toEqual([1, ''])
    expect(people.stderr.match(/^(Error: )?[A-Z_]+ must be/gm)).toHaveLength(3)
    expect(people.stderr).not.toContain('hunter22')
    const machine = await ratecard(['serve', '--json'], wrong)
    expect([machine.exitCode, machine.stdout]).toEqual([1, ''])
    expect(JSON.parse(machine.stderr)).toMatchObject({ error: 'failed' })
  })

  test('config check shows every variable in force, secrets left out', async () => {
    const secrets = { DATABASE_URL: 'postgres://u:hunter22@db.example/r', SECRETS_KEY: generateSecretsKey() }
    const people = await ratecard(['config', 'check'], { ...secrets, PORT: '1234' })
    const machine = await ratecard(['config', 'check', '--json'], { ...secrets, PORT: '1234' })
    const list = JSON.parse(machine.stdout) as { id: string; value: string }[]
    expect(list.map(({ id }) => id)).toEqual(Object.keys(variables))
    expect(list).toContainEqual(expect.objectContaining({ id: 'PORT', value: '1234' }))
    expect(list).toContainEqual(expect.objectContaining({ id: 'DATABASE_URL', value: '(set)' }))
    expect(people.stdout).toMatch(/PORT +1234/)
    for (const text of [people.stdout, people.stderr, machine.stdout, machine.stderr]) {
      expect(text).not.toContain('hunter22')
      expect(text).not.toContain(secrets.SECRETS_KEY)
    }
  })

  test('beside a running server a command holds from the next request on; the log has no secret', async () => {
    const secretsKey = generateSecretsKey()
    const server = await startServer({ ...env(), SECRETS_KEY: secretsKey, LOG_LEVEL: 'trace' })
    const { key, keyId, accountId } = await createCustomer(database.db)
    const status = async (path: string) =>
      (await fetch(server.url + path, { headers: { authorization: `Bearer ${key}` } })).status
    await expect.poll(() => status('/v1/usage'), inASecond).toBe(200)
    expect(await status('/v1/changes')).toBe(403)
    await runJson(['subscriptions', 'set', '--account', accountId, '--plan', 'developer'])
    expect(await status('/v1/changes')).toBe(200)
    await runJson(['keys', 'revoke', keyId])
    expect(await status('/v1/usage')).toBe(401)
    expect(await server.stop()).toBe(0)
    const { password } = new URL(database.url)
    for (const secret of [secretsKey, key, ...(password ? [password] : [])]) {
      expect(server.log()).not.toContain(secret)
    }
  })

  test('a reader that stops reading early, such as head, is no fault', async () => {
    const program = new URL('../bin/ratecard.js', import.meta.url).pathname
    const child = spawn(process.execPath, [program, 'prices', 'list', '--limit', '100000', '--json'], {
      env: { PATH: process.env.PATH ?? '', ...env() },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    child.stdout.once('data', () => child.stdout.destroy())
    await once(child, 'close')
    expect(child.exitCode).toBe(0)
    expect(stderr).toBe('')
  })
})

interface Named {
  id: string
  name: string
}
interface KeyDocument extends Named {
  key: string
  revoked_at: string | null
}
interface UsageDocument {
  keys: { daily_quota: { used: number } }[]
}
interface PackDocument {
  units: number
  purchased_at: string
  expires_at: string
}
interface ImportDocument {
  added: number
  rejected: number
}
interface PriceDocument {
  id: string
  resource_id: string
  vendor: string
  updated_at: string
}

const alternative = {
  product_id: 'acme/beta',
  product_name: 'Beta',
  vendor: 'acme',
  migration_effort: 'low',
  rank: 1,
}

function env(): Record<string, string> {
  return { DATABASE_URL: database.url }
}

async function run(args: readonly string[]): Promise<CommandResult> {
  const result = await ratecard(args, env())
  const { password } = new URL(database.url)
  if (password !== '') expect(result.stdout + result.stderr).not.toContain(password)
  return result
}

/** Runs a command with --json, which must succeed and print one document and nothing else. */
async function runJson(args: readonly string[]): Promise<unknown> {
  const { exitCode, stdout, stderr } = await run([...args, '--json'])
  expect([exitCode, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

function done(stdout: string): CommandResult {
  return { exitCode: 0, stdout, stderr: '' }
}

/** Failed with a message and an empty stdout. */
function failed(message: RegExp): CommandResult {
  return { exitCode: 1, stdout: '', stderr: expect.stringMatching(message) as string }
}

/** The program's handling of arguments that never reach the database: in this process, to save the time. */
async function runHere(args: string[]): Promise<CommandResult> {
  const result: CommandResult = { exitCode: 0, stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      result[name] += String(text)
      return true
    }),
  )
  try {
    await main(args)
    return { ...result, exitCode: Number(process.exitCode ?? 0) }
  } finally {
    process.exitCode = undefined
    for (const spy of spies) spy.mockRestore()
  }
}

async function fileWith(name: string, json: unknown): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, JSON.stringify(json))
  return file
}

async function isAccepted(key: string): Promise<boolean> {
  return (await findCaller(database.db, key, plansOf(readConfig({})))) !== undefined
}

function leavesOf(command: Command, words: string[] = []): string[][] {
  if (command.commands.length === 0) return [words]
  return command.commands.flatMap((child) => leavesOf(child, [...words, child.name()]))
}
