import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { createProgram } from '../src/commands/index.ts'
import { readConfig, variables } from '../src/platform/config.ts'
import { packageRoot, projectRoot } from '../src/platform/paths.ts'
import { dockerfile, ignoreLines, imageSettings, instruction, wordsOf } from './support/image.ts'
import { createDatabase, dropDatabase } from './support/postgres.ts'

interface Service {
  build?: { context: string; args: Record<string, string> }
  image?: string
  command?: string[]
  environment: Record<string, string>
  networks: string[] | Record<string, { ipv4_address?: string }>
  ports?: string[]
  volumes?: string[]
  healthcheck?: { test: string[] }
  depends_on?: string[] | Record<string, { condition: string }>
}

interface Compose {
  services: Record<'proxy' | 'server' | 'migrate' | 'database', Service>
  networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } }>
  volumes: Record<string, unknown>
}

const read = (file: string) => readFile(join(projectRoot, file), 'utf8')
const compose = parse(await read('compose.yaml')) as Compose
const { proxy, server, migrate, database } = compose.services

describe('Dockerfile', () => {
  it('runs a program that is deployed, with a command it has, and no shell in front', async () => {
    const [node, program = ''] = wordsOf(instruction('ENTRYPOINT'))
    expect(node).toBe('node')
    expect(existsSync(join(packageRoot, program))).toBe(true)
    const { files } = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8')) as {
      files: string[]
    }
    expect(files).toContain(program.split('/')[0])
    const commands = createProgram().commands.map((command) => command.name())
    expect(commands).toEqual(expect.arrayContaining(wordsOf(instruction('CMD'))))
  })

  it('does not run as root, and says so in a number', () => {
    expect(instruction('USER')).toBe('1000')
  })

  it('takes exact versions, and the pnpm of the repository', async () => {
    const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)
    expect(images.filter((image) => !/^node:\d+\.\d+\.\d+-slim$/.test(image ?? ''))).toEqual([])
    const { packageManager } = JSON.parse(await read('package.json')) as { packageManager: string }
    const [, pnpm = ''] = /^(pnpm@\d+\.\d+\.\d+)\+sha512\.[0-9a-f]{128}$/.exec(packageManager) ?? []
    expect(dockerfile).toContain(`npm install --global ${pnpm}\n`)
  })

  it('sets variables that the server reads; what is private stays in the container', () => {
    const { NODE_ENV, ...settings } = imageSettings
    expect(NODE_ENV).toBe('production')
    expect(Object.keys(variables)).toEqual(expect.arrayContaining(Object.keys(settings)))
    expect(readConfig(settings)).toMatchObject({ HOST: '0.0.0.0', ADMIN_HOST: '127.0.0.1' })
  })

  it('exposes the port that the server listens on, and asks the private one whether it is healthy', async () => {
    const { PORT, ADMIN_PORT } = readConfig({})
    expect(instruction('EXPOSE')).toBe(PORT.toString())
    const check = instruction('HEALTHCHECK')
    const command = wordsOf(check.slice(check.indexOf('CMD ') + 'CMD '.length))
    // Of Debian, which the slim image is. It starts no Node.
    expect(command.slice(0, 2)).toEqual(['bash', '-c'])
    expect(command[2]).toContain(`127.0.0.1/\${ADMIN_PORT:-${ADMIN_PORT}} `)

    let healthy = true
    const admin = createServer((req, res) => res.writeHead(healthy && req.url === '/live' ? 200 : 503).end())
    await once(admin.listen(0, '127.0.0.1'), 'listening')
    const { port } = admin.address() as AddressInfo
    const ask = () =>
      promisify(execFile)('bash', command.slice(1), {
        env: { ADMIN_PORT: String(port), PATH: process.env.PATH },
      })
    await ask()
    healthy = false
    await expect(ask()).rejects.toMatchObject({ code: 1 })
    await new Promise((resolve) => admin.close(resolve))
    await expect(ask()).rejects.toMatchObject({ code: 1 })
  })

  it('deploys a package of the workspace', async () => {
    const name = /--filter (\S+) deploy /.exec(dockerfile)?.[1]
    const { name: own } = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8')) as {
      name: string
    }
    expect(name).toBe(own)
  })
})

describe('.dockerignore', () => {
  const kept = ignoreLines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))

  it('keeps what exists, and the contract that the server needs', () => {
    expect(kept.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([])
    expect(existsSync(join(projectRoot, 'packages/contract/generated/openapi.yaml'))).toBe(true)
    expect(kept).toEqual(expect.arrayContaining(['apps/server', 'packages/contract', 'pnpm-lock.yaml']))
  })

  it('leaves out data, secrets and what was installed here', () => {
    expect(ignoreLines).toEqual(expect.arrayContaining(['*', '**/node_modules', '**/.data', '**/.env']))
  })
})

describe('compose.yaml', () => {
  it('builds the Dockerfile here', () => {
    expect(server.build).toEqual(migrate.build)
    const { context, args } = server.build!
    expect(existsSync(join(projectRoot, context, 'Dockerfile'))).toBe(true)
    // The image has no git that could say what it is of.
    const [, asked] = /^ARG (\w+)=unknown$/m.exec(dockerfile) ?? []
    expect(Object.keys(args)).toEqual([asked])
  })

  const secrets = ['POSTGRES_PASSWORD', 'OWNER_PASSWORD', 'SERVER_PASSWORD', 'SECRETS_KEY']
  const reference = (name: string) => `\${${name}:?Run sh scripts/compose-secrets.sh}`
  const fill = (text = '') =>
    secrets.reduce(
      (filled, name) => filled.replaceAll(reference(name), Buffer.alloc(32).toString('base64')),
      text,
    )

  it('gives the server and the migration variables that they read', () => {
    for (const { environment } of [server, migrate]) {
      expect(Object.keys(variables)).toEqual(expect.arrayContaining(Object.keys(environment)))
      const filled = Object.entries(environment).map(([name, text]) => [name, fill(text)] as const)
      expect(() =>
        readConfig({ ...Object.fromEntries(filled), PUBLIC_URL: 'http://localhost' }),
      ).not.toThrow()
    }
  })

  it('has no password or key in it, and does not start without', async () => {
    const text = await read('compose.yaml')
    for (const name of secrets) expect(text).toContain(reference(name))
    expect(fill(text)).not.toContain(':?')
    for (const { environment = {} } of Object.values(compose.services)) {
      const named = Object.entries(environment).filter(([name]) => /PASSWORD|KEY/.test(name))
      expect(named.map(([, value]) => value)).toEqual(named.map(([name]) => reference(name)))
    }
    const urls = [
      server.environment.DATABASE_URL,
      migrate.environment.DATABASE_URL,
      migrate.environment.DATABASE_OWNER_URL,
    ]
    expect(urls.map((url) => /:\/\/(\w+):\$\{(\w+):/.exec(url ?? '')?.slice(1))).toEqual([
      ['ratecard_server', 'SERVER_PASSWORD'],
      ['ratecard_server', 'SERVER_PASSWORD'],
      ['ratecard_owner', 'OWNER_PASSWORD'],
    ])
  })

  it('has all secrets from a script, which makes each anew and never a second time', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ratecard-compose-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await mkdir(join(folder, 'scripts'))
    await cp(join(projectRoot, 'scripts/compose-secrets.sh'), join(folder, 'scripts/compose-secrets.sh'))
    const make = () => promisify(execFile)('sh', [join(folder, 'scripts/compose-secrets.sh')])
    await make()
    const file = join(folder, '.env')
    const made = await readFile(file, 'utf8')
    const pairs = made
      .trim()
      .split('\n')
      .map((line) => /^(\w+)=(.+)$/.exec(line)?.slice(1) ?? [])
    expect(pairs.map(([name]) => name)).toEqual(secrets)
    expect(new Set(pairs.map(([, value]) => value)).size).toBe(secrets.length)
    expect(() => readConfig({ SECRETS_KEY: pairs.at(-1)?.[1] ?? '' })).not.toThrow()
    // They are part of URLs.
    for (const [, value = ''] of pairs.slice(0, -1)) expect(value).toMatch(/^[0-9a-f]{48}$/)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await expect(make()).rejects.toMatchObject({ code: 1 })
    expect(await readFile(file, 'utf8')).toBe(made)
    expect(ignoreLines).toContain('**/.env')
    expect((await read('.gitignore')).split('\n')).toContain('.env')
  })

  it('serves as a role that the schema is made for by another, before the server starts', () => {
    expect(server.depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } })
    expect(server.command).toEqual(['serve', '--no-migrate'])
    expect(server.environment.DATABASE_OWNER_URL).toBeUndefined()
    expect(migrate.command).toEqual(['migrate'])
    expect(migrate.depends_on).toEqual({ database: { condition: 'service_healthy' } })
    expect(database.healthcheck?.test).toContain('pg_isready')
    for (const { environment } of [server, migrate]) {
      const url = new URL(fill(environment.DATABASE_URL).replaceAll('=', ''))
      expect(Object.keys(compose.services)).toContain(url.hostname)
      expect(url.pathname.slice(1)).toBe(database.environment.POSTGRES_DB)
    }
  })

  it('makes those roles where the volume is new', async () => {
    const mounts = (database.volumes ?? []).map((volume) => volume.split(':'))
    const [, script] = mounts.filter(([from]) => from?.startsWith('./')).map(([from]) => from)
    expect(script).toBe('./apps/server/src/database/roles.sql')
    for (const [from = ''] of mounts.slice(1)) expect(existsSync(join(projectRoot, from))).toBe(true)
    const [, initial = '', sql = ''] = mounts.map(([, to]) => to)
    expect(initial).toMatch(/^\/docker-entrypoint-initdb\.d\/.*\.sh$/)
    expect(await read('scripts/make-roles.sh')).toContain(`\${ROLES_SQL:-${sql}}`)
  })

  it('is reached through the proxy alone, on this machine alone until it is told otherwise', () => {
    expect(proxy.ports).toEqual(['${LISTEN:-127.0.0.1:8080}:8080'])
    for (const service of [server, migrate, database]) expect(service.ports).toBeUndefined()
    expect(proxy.volumes).toEqual(['./docs/proxies/nginx.conf:/etc/nginx/nginx.conf:ro'])
    expect(server.environment).not.toHaveProperty('ADMIN_HOST')
  })

  it('believes the proxy about where a request came from, and nobody else', () => {
    const { edge } = proxy.networks as Record<string, { ipv4_address: string }>
    expect(server.environment.TRUSTED_PROXIES).toBe(`${edge?.ipv4_address}/32`)
    const subnet = compose.networks.edge?.ipam?.config[0]?.subnet ?? ''
    const [network = ''] = subnet.split('.0/24')
    expect(edge?.ipv4_address.startsWith(`${network}.`)).toBe(true)
  })

  it('has the database on a network without a way out, where the proxy is not', () => {
    expect(database.networks).toEqual(['data'])
    expect(compose.networks.data).toEqual({ internal: true })
    expect(Object.keys(proxy.networks)).toEqual(['edge'])
    expect(Object.keys(server.networks)).toEqual(['edge', 'data'])
  })

  it('takes exact versions, and keeps the data in a volume', () => {
    for (const { image } of Object.values(compose.services)) {
      if (image !== undefined) expect(image).toMatch(/^\w+:\d+\.\d+(\.\d+)?$/)
    }
    expect(database.volumes?.[0]?.split(':')[0]).toBe(Object.keys(compose.volumes)[0])
  })
})

describe('scripts/make-roles.sh', () => {
  // On an operator's own server it would change the passwords of roles that may be in use.
  const isOurs = (process.env.DATABASE_URL ?? '') === ''
  const hasPsql = existsSync('/usr/bin/psql')
  const reason = isOurs
    ? hasPsql
      ? ''
      : ' (skipped: psql is not installed)'
    : ' (skipped: DATABASE_URL is set)'
  it.skipIf(reason !== '')(`makes the roles, and may be run again${reason}`, async () => {
    const name = `ratecard_test_roles_script_${randomBytes(4).toString('hex')}`
    const url = inject('postgresUrl')
    await createDatabase(url, name)
    onTestFinished(() => dropDatabase(url, name))
    const { hostname, port, username, password } = new URL(url)
    const env = {
      PATH: process.env.PATH ?? '',
      PGHOST: hostname,
      PGPORT: port,
      PGPASSWORD: password,
      POSTGRES_USER: username,
      POSTGRES_DB: name,
      OWNER_PASSWORD: "own'er",
      SERVER_PASSWORD: 'ser"ver',
      ROLES_SQL: join(packageRoot, 'src/database/roles.sql'),
    }
    for (let count = 0; count < 2; count += 1) {
      const { stdout, stderr } = await promisify(execFile)(
        'sh',
        [join(projectRoot, 'scripts/make-roles.sh')],
        { env },
      )
      expect([stdout, stderr]).toEqual(['', ''])
    }
    for (const [user, secret] of [
      ['ratecard_owner', env.OWNER_PASSWORD],
      ['ratecard_server', env.SERVER_PASSWORD],
    ] as const) {
      const client = new pg.Client({
        host: hostname,
        port: Number(port),
        user,
        password: secret,
        database: name,
      })
      await client.connect()
      const { rows } = await client.query(
        "select rolsuper, has_schema_privilege('public', 'CREATE') as creates from pg_roles where rolname = current_user",
      )
      expect(rows).toEqual([{ rolsuper: false, creates: user === 'ratecard_owner' }])
      await client.end()
    }
  })
})
