import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { createProgram } from '../src/commands/index.ts'
import { migrate } from '../src/database/migrate.ts'
import { generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import { readConfig, variables } from '../src/platform/config.ts'
import { connect } from '../src/database/connect.ts'
import { createCustomer } from './support/actors.ts'
import { createDatabase, dropDatabase, urlOfDatabase, useDatabase } from './support/postgres.ts'
import { ratecard, startServer } from './support/process.ts'
import { done, failed, inTime, rfc3339, useCommands } from './support/commands.ts'
import { runHere } from './support/run-here.ts'

// The operator's commands as processes of their own, in both forms: lines for people, and --json.

const database = useDatabase()
const { env, run, runJson } = useCommands(database)
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}

describe('each command', () => {
  const leaves = leavesOf(createProgram())

  test('there are these commands', () => {
    expect(leaves.map((words) => words.join(' ')).sort()).toEqual(
      [
        ...['serve', 'start', 'migrate', 'config check', 'backup', 'restore'],
        ...['accounts create', 'accounts list', 'accounts invite', 'members reset-second-factor'],
        'members notices',
        ...[
          'keys create',
          'keys list',
          'keys revoke',
          'keys expire',
          'keys rotate',
          'usage',
          'requests',
          'topups grant',
          'topups list',
        ],
        ...['subscriptions set', 'subscriptions end', 'subscriptions list', 'ledger verify'],
        ...['prices import', 'prices list', 'prices history', 'prices as-of', 'prices show', 'prices export'],
        'drift',
        ...['changes publish', 'changes list', 'changes show', 'changes export'],
        ...[
          'feed run',
          'feed refresh',
          'feed status',
          'feed disagreements',
          'feed due',
          'feed redecide',
          'feed rewind',
        ],
        ...['feed review list', 'feed review show', 'feed review accept', 'feed review reject'],
        ...['feed review reports', 'feed review close'],
        ...[
          'worker',
          'secrets rotate',
          'secrets abandon',
          'webhooks list',
          'webhooks enable',
          'webhooks test',
        ],
        ...[
          'cells publish',
          'cells join',
          'cells status',
          'cells leave',
          'cells move',
          'cells routes',
          'cells unmarked-keys',
        ],
        'webhooks standard-headers',
        'webhooks rename',
        'webhooks filter',
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
    expect(JSON.parse(status.stdout)).toContainEqual({
      id: '0001_accounts',
      executed_at: null,
      state: 'pending',
    })
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
    ['CORS_ORIGINS', 'https://app.example/'],
    ['LOG_LEVEL', 'loud'],
    ['WEBHOOK_ALLOW_CIDRS', '10.0.0.0/33'],
    ['FEED_SOURCES', '[{"every":"1h"}]'],
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

  test.each(['serve', 'worker', 'start', 'config check'])(
    'what an earlier release read stops %s, which says what replaces it',
    async (command) => {
      const { exitCode, stdout, stderr } = await ratecard(command.split(' '), {
        MAIL: 'log',
        UPGRADE_URL: 'https://shop.example/',
      })
      expect([exitCode, stdout]).toEqual([1, ''])
      expect(stderr).toContain('MAIL=log is not a setting any more. Set SMTP_URL=log: instead.')
      expect(stderr).toContain(
        'UPGRADE_URL is not a setting any more. Answers lead to PUBLIC_URL/dashboard/billing.',
      )
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
    await expect.poll(() => status('/v1/usage'), inTime).toBe(200)
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
})

function leavesOf(command: Command, words: string[] = []): string[][] {
  if (command.commands.length === 0) return [words]
  return command.commands.flatMap((child) => leavesOf(child, [...words, child.name()]))
}
