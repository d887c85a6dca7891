import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createProgram } from '../src/commands/index.ts'
import { readConfig, variables } from '../src/platform/config.ts'
import { packageRoot, projectRoot } from '../src/platform/paths.ts'

interface Service {
  build?: string
  environment: Record<string, string>
  ports?: string[]
  volumes?: string[]
  healthcheck?: { test: string[] }
  depends_on?: Record<string, { condition: string }>
}

interface Compose {
  services: { server: Service; database: Service }
  volumes: Record<string, unknown>
}

const read = (file: string) => readFile(join(projectRoot, file), 'utf8')
const dockerfile = (await read('Dockerfile')).replaceAll('\\\n', ' ')
const compose = parse(await read('compose.yaml')) as Compose
const { server, database } = compose.services
const ignored = (await read('.dockerignore')).split('\n')

function instruction(name: string): string {
  const found = dockerfile.split('\n').findLast((line) => line.startsWith(`${name} `))
  if (found === undefined) throw new Error(`The Dockerfile has no ${name}.`)
  return found.slice(name.length + 1).trim()
}

const list = (text: string) => JSON.parse(text) as string[]
const imageSettings = Object.fromEntries(
  instruction('ENV')
    .split(/\s+/)
    .map((pair) => pair.split('=') as [string, string]),
)

describe('Dockerfile', () => {
  it('runs a program that is deployed, with a command it has, and no shell in front', async () => {
    const [node, program = ''] = list(instruction('ENTRYPOINT'))
    expect(node).toBe('node')
    expect(existsSync(join(packageRoot, program))).toBe(true)
    const { files } = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8')) as {
      files: string[]
    }
    expect(files).toContain(program.split('/')[0])
    const commands = createProgram().commands.map((command) => command.name())
    expect(commands).toEqual(expect.arrayContaining(list(instruction('CMD'))))
  })

  it('does not run as root', () => {
    expect(instruction('USER')).toBe('node')
  })

  it('sets variables that the server reads, and listens on all addresses', () => {
    const { NODE_ENV, ...settings } = imageSettings
    expect(NODE_ENV).toBe('production')
    expect(Object.keys(variables)).toEqual(expect.arrayContaining(Object.keys(settings)))
    expect(readConfig(settings)).toMatchObject({ HOST: '0.0.0.0', ADMIN_HOST: '0.0.0.0' })
  })

  it('exposes the ports that the server listens on, and asks the private one whether it is healthy', async () => {
    const { PORT, ADMIN_PORT } = readConfig({})
    expect(instruction('EXPOSE')).toBe(`${PORT} ${ADMIN_PORT}`)
    const check = instruction('HEALTHCHECK')
    const command = list(check.slice(check.indexOf('CMD ') + 'CMD '.length))
    expect(command.slice(0, 2)).toEqual(['node', '-e'])
    expect(command[2]).toContain(`process.env.ADMIN_PORT || ${ADMIN_PORT}}/live`)

    const admin = createServer((req, res) => res.writeHead(req.url === '/live' ? 200 : 404).end())
    await once(admin.listen(0, '127.0.0.1'), 'listening')
    const { port } = admin.address() as AddressInfo
    const ask = () =>
      promisify(execFile)(process.execPath, command.slice(1), { env: { ADMIN_PORT: String(port) } })
    await ask()
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
  const kept = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1))

  it('keeps what exists, and the contract that the server needs', () => {
    expect(kept.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([])
    expect(existsSync(join(projectRoot, 'packages/contract/generated/openapi.yaml'))).toBe(true)
    expect(kept).toEqual(expect.arrayContaining(['apps/server', 'packages/contract', 'pnpm-lock.yaml']))
  })

  it('leaves out data, secrets and what was installed here', () => {
    expect(ignored).toEqual(expect.arrayContaining(['*', '**/node_modules', '**/.data', '**/.env']))
  })
})

describe('compose.yaml', () => {
  it('builds the Dockerfile here', () => {
    expect(existsSync(join(projectRoot, server.build ?? '', 'Dockerfile'))).toBe(true)
  })

  it('gives the server variables that it reads', () => {
    expect(Object.keys(variables)).toEqual(expect.arrayContaining(Object.keys(server.environment)))
    const key = Buffer.alloc(32).toString('base64')
    expect(() =>
      readConfig({ ...server.environment, SECRETS_KEY: key, PUBLIC_URL: 'http://localhost:8080' }),
    ).not.toThrow()
  })

  it('refuses to start without a key for secrets', () => {
    expect(server.environment.SECRETS_KEY).toMatch(/^\$\{SECRETS_KEY:\?.+\}$/)
  })

  it('lets the server wait for a healthy database, and find it', () => {
    expect(server.depends_on).toEqual({ database: { condition: 'service_healthy' } })
    expect(database.healthcheck?.test).toContain('pg_isready')
    const url = new URL(server.environment.DATABASE_URL ?? '')
    expect(Object.keys(compose.services)).toContain(url.hostname)
    expect(database.environment).toEqual({
      POSTGRES_USER: url.username,
      POSTGRES_PASSWORD: url.password,
      POSTGRES_DB: url.pathname.slice(1),
    })
  })

  it('keeps the data in a volume, and ports on this machine', () => {
    expect(database.volumes?.map((volume) => volume.split(':')[0])).toEqual(Object.keys(compose.volumes))
    const { PORT, ADMIN_PORT } = readConfig({})
    expect(server.ports).toEqual([PORT, ADMIN_PORT].map((port) => `127.0.0.1:${port}:${port}`))
    expect(database.ports).toBeUndefined()
  })
})
