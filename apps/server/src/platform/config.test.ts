import fc from 'fast-check'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { describeConfig, publicUrl, readConfig, readHubUrl, variables, type VariableName } from './config.ts'
import { removedVariables } from './settings/removed.ts'
import { UserError } from './user-error.ts'

const key = Buffer.alloc(32, 7).toString('base64')

function problem(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof UserError) return error.message
    throw error
  }
  throw new Error('It was accepted.')
}

describe('readConfig', () => {
  test('needs nothing', () => {
    expect(readConfig({})).toMatchObject({
      PORT: 8080,
      HOST: '127.0.0.1',
      CORS_ORIGINS: [],
      WEBHOOK_ALLOW_CIDRS: [],
      FEED_SOURCES: [{ source: 'genai-prices', every: '6h' }],
      ALERT_MIN_SEVERITY: 3,
    })
    expect(readConfig({}).DATABASE_URL).toBeUndefined()
    expect(isAbsolute(readConfig({}).DATA_DIR)).toBe(true)
  })

  test('takes a blank value for none', () => {
    const blank = Object.fromEntries(Object.keys(variables).map((name) => [name, ' ']))
    expect(readConfig({ ...blank, INIT_CWD: '/x' })).toEqual(readConfig({ INIT_CWD: '/x' }))
  })

  test('takes operators in lower case, each once', () => {
    const OPERATOR_EMAILS = 'Ada@Prices.example, ada@prices.example,grace@prices.example,'
    expect(readConfig({ OPERATOR_EMAILS }).OPERATOR_EMAILS).toEqual([
      'ada@prices.example',
      'grace@prices.example',
    ])
  })

  test('cannot be changed afterwards', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true)
  })

  test('reads a secret from the file that its variable with _FILE names', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ratecard-config-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'key')
    await writeFile(file, `${key}\n`)
    expect(readConfig({ SECRETS_KEY_FILE: file }).SECRETS_KEY).toEqual([key])
    expect(readConfig({ SECRETS_KEY: key, SECRETS_KEY_FILE: '/none' }).SECRETS_KEY).toEqual([key])
    expect(problem({ SECRETS_KEY_FILE: join(folder, 'none') })).toBe(
      'SECRETS_KEY_FILE names a file that cannot be read: ENOENT.',
    )
    await writeFile(file, 'no key')
    const wrong = problem({ SECRETS_KEY_FILE: file })
    expect(wrong).toMatch(/^SECRETS_KEY must be 32 random bytes/)
    expect(wrong).not.toContain('no key')
  })

  test.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['SECRET_KEY', 'SECRETS_KEY'],
    ['PUBLIC_URL_FILE', 'PUBLIC_URL'],
  ])('takes %s for a slip of %s', (name, meant) => {
    expect(problem({ [name]: 'x' })).toBe(`${name} is not read. Is ${meant} meant?`)
    const url =
      meant === 'SECRETS_KEY' ? key : meant === 'PUBLIC_URL' ? 'https://x.example' : 'postgres://x/y'
    expect(() => readConfig({ [name]: 'x', [meant]: url })).not.toThrow()
  })

  test.each(Object.keys(removedVariables))('refuses %s, which an earlier release read', (removed) => {
    const [name = '', value = '1'] = removed.split('=')
    expect(problem({ [name]: value })).toBe(
      `${removed} is not a setting any more. ${removedVariables[removed]}`,
    )
    expect(() => readConfig({ [name]: ' ' })).not.toThrow()
  })

  test('passes over the mailbox that systems name in MAIL', () => {
    expect(() => readConfig({ MAIL: '/var/mail/ratecard' })).not.toThrow()
  })

  test('has at most 48 settings: what one installation in a hundred sets is a constant', () => {
    expect(Object.keys(variables).length).toBeLessThanOrEqual(48)
    for (const removed of Object.keys(removedVariables)) expect(variables).not.toHaveProperty(removed)
  })

  test('does not start an embedded database in production unless DATA_DIR asks for it', () => {
    expect(problem({ NODE_ENV: 'production' })).toContain(
      'DATABASE_URL is not set, and NODE_ENV is production',
    )
    expect(() => readConfig({ NODE_ENV: 'production', DATA_DIR: './data' })).not.toThrow()
    expect(() => readConfig({ NODE_ENV: 'production', DATABASE_URL: 'postgres://x/y' })).not.toThrow()
  })

  test('splits lists at commas, and trims', () => {
    const { CORS_ORIGINS, SECRETS_KEY, WEBHOOK_ALLOW_CIDRS } = readConfig({
      CORS_ORIGINS: ' https://a.example , https://b.example:8443,',
      SECRETS_KEY: `${key},${key.replace('=', '')}`,
      WEBHOOK_ALLOW_CIDRS: '10.0.0.0/8, fd00::/8',
    })
    expect(CORS_ORIGINS).toEqual(['https://a.example', 'https://b.example:8443'])
    expect(SECRETS_KEY).toHaveLength(2)
    expect(WEBHOOK_ALLOW_CIDRS).toEqual(['10.0.0.0/8', 'fd00::/8'])
  })

  test.each<[VariableName, string]>([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['ADMIN_PORT', 'http'],
    ['DATABASE_URL', 'mysql://x/y'],
    ['DATABASE_URL', 'localhost:5432'],
    ['DATABASE_URL', 'postgres://u:p@a:5432,/x'],
    ['DATABASE_URL', 'postgres://u:p@a:5432,b:x/x'],
    ['DATABASE_URL', 'postgres://u:p@a,b/x?target_session_attrs=standby'],
    ['DATABASE_URL', 'postgres://u:p@a/x?target_session_attrs=any'],
    ['DATABASE_REPLICA_URL', 'postgres://u:p@a,b/x'],
    ['DATABASE_REPLICA_URL', 'postgres://u:p@a/x?target_session_attrs=read-write'],
    ['DATABASE_POOL_SIZE', '0'],
    ['DATABASE_POOL_SIZE', '1e3'],
    ['SECRETS_KEY', 'short'],
    ['SECRETS_KEY', Buffer.alloc(31).toString('base64')],
    ['SECRETS_KEY', Buffer.alloc(33).toString('base64')],
    ['SECRETS_KEY', `${key},x`],
    ['PUBLIC_URL', 'prices.example'],
    ['PUBLIC_URL', 'ftp://prices.example'],
    ['SMTP_URL', 'http://mail.example'],
    ['SMTP_URL', 'log:everything'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://a.example/'],
    ['CORS_ORIGINS', 'https://A.example'],
    ['CORS_ORIGINS', 'https://a.example,null'],
    ['OPERATOR_EMAILS', 'ada'],
    ['OPERATOR_EMAILS', 'ada@prices.example grace@prices.example'],
    ['OPERATOR_EMAILS', 'ада@prices.example'],
    ['OPERATOR_EMAILS', Array.from({ length: 21 }, (_, index) => `a${index}@prices.example`).join()],
    ['LOG_LEVEL', 'verbose'],
    ['WEBHOOK_ALLOW_CIDRS', '10.0.0.0'],
    ['WEBHOOK_ALLOW_CIDRS', '10.0.0.0/33'],
    ['WEBHOOK_ALLOW_CIDRS', 'fd00::/129'],
    ['WEBHOOK_ALLOW_CIDRS', 'localhost/8'],
    ['FEED_SOURCES', 'genai-prices'],
    ['FEED_SOURCES', '{"source":"litellm","every":"1h"}'],
    ['FEED_KEYS', 'xai-1'],
    ['FEED_KEYS', '{"xai":1}'],
    ['FEED_KEYS', '{"xai":"two words"}'],
    ['FEED_KEYS', '{"xai":"a\\nb: c"}'],
    ['FEED_SOURCES', '[{"every":"1h"}]'],
    ['FEED_SOURCES', '[{"source":"litellm","every":"0s"}]'],
    ['FEED_SOURCES', '[{"source":"litellm","every":"500ms"}]'],
    ['FEED_SOURCES', '[{"source":"litellm","every":"31d"}]'],
    ['FEED_SOURCES', '[{"source":"litellm","every":"1h","url":"ftp://x/y"}]'],
    ['FEED_SOURCES', '[{"source":"litellm","every":"1h","url":"https://me:pw@x/y"}]'],
    ['FEED_SOURCES', '[{"source":"litellm","every":"1h","interval":"1h"}]'],
    ['FEED_SOURCES', '[{"source":"litellm","every":"1h"},{"source":"litellm","every":"2h"}]'],
    ['ALERT_MIN_SEVERITY', '0'],
    ['ALERT_MIN_SEVERITY', '6'],
    ['ALERT_MIN_SEVERITY', '2.5'],
  ])('refuses %s=%s and says what it wants', (name, value) => {
    const message = problem({ [name]: value })
    expect(message).toContain(`${name} must be ${variables[name].wants}`)
    const { secret } = variables[name] as { secret?: true }
    if (secret) expect(message).not.toContain(value)
    else expect(message).toContain(JSON.stringify(value))
  })

  test('takes the sources to be read, or none', () => {
    const FEED_SOURCES =
      '[{"source":"litellm","url":"file:///prices.json","every":"90m"},{"source":"genai-prices","every":"30d"},{"source":"portkey"}]'
    expect(readConfig({ FEED_SOURCES }).FEED_SOURCES).toEqual(JSON.parse(FEED_SOURCES))
    expect(readConfig({ FEED_SOURCES: '[]' }).FEED_SOURCES).toEqual([])
  })

  test('tells all wrong values at once', () => {
    expect(problem({ PORT: 'x', LOG_LEVEL: 'y' }).split('\n')).toHaveLength(2)
  })

  test('whatever a variable holds, it is accepted or refused in words', () => {
    const name = fc.constantFrom(...(Object.keys(variables) as VariableName[]))
    fc.assert(
      fc.property(
        name,
        fc.oneof(fc.string(), fc.webUrl(), fc.ipV4Extended(), fc.ipV6()),
        (variable, value) => {
          try {
            readConfig({ [variable]: value })
          } catch (error) {
            expect(error).toBeInstanceOf(UserError)
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})

test('publicUrl is PUBLIC_URL, without a slash at its end, or the port of this machine', () => {
  expect(publicUrl(readConfig({}), 4321)).toBe('http://localhost:4321')
  const config = readConfig({ PUBLIC_URL: 'https://prices.example/api//' })
  expect(publicUrl(config, 4321)).toBe('https://prices.example/api')
})

test('readHubUrl takes the URL of the hub, also from a file, and shows no wrong one', async () => {
  const url = 'postgres://ratecard_cells:x@hub.internal/ratecard'
  const folder = await mkdtemp(join(tmpdir(), 'ratecard-config-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'hub-url')
  await writeFile(file, `${url}\n`)
  expect(readHubUrl({})).toBeUndefined()
  expect(readHubUrl({ CELL_HUB_URL: url })).toBe(url)
  expect(readHubUrl({ CELL_HUB_URL_FILE: file })).toBe(url)
  expect(() => readHubUrl({ CELL_HUB_URL: 'hunter22' })).toThrow(/^CELL_HUB_URL must be (?!.*hunter22)/)
})

describe('describeConfig', () => {
  test('shows every variable, and never a secret', () => {
    const password = 'pa55word'
    const rows = describeConfig(
      readConfig({
        DATABASE_URL: `postgres://u:${password}@db/x`,
        SECRETS_KEY: key,
        CORS_ORIGINS: 'https://a.example',
      }),
    )
    expect(rows.map((row) => row.id)).toEqual(Object.keys(variables))
    expect(JSON.stringify(rows)).not.toContain(password)
    expect(JSON.stringify(rows)).not.toContain(key)
    expect(rows.find((row) => row.id === 'DATABASE_URL')?.value).toBe('(set)')
    expect(rows.find((row) => row.id === 'CORS_ORIGINS')?.value).toBe('https://a.example')
    expect(rows.find((row) => row.id === 'FEED_SOURCES')?.value).toBe(variables.FEED_SOURCES.default)
    expect(rows.find((row) => row.id === 'FEED_KEYS')?.value).toBe('')
    const keyed = describeConfig(readConfig({ FEED_KEYS: '{"xai":"xai-secret"}' }))
    expect(keyed.find((row) => row.id === 'FEED_KEYS')?.value).toBe('(set)')
  })
})
