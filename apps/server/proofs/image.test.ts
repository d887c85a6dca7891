import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import {
  buildImage,
  dockerfile,
  imageSettings,
  instruction,
  pathWithoutPackages,
  wordsOf,
  type Image,
} from '../test/support/image.ts'
import { createDatabase, dropDatabase, urlOfDatabase } from '../test/support/postgres.ts'
import { until } from '../test/support/until.ts'

// The image without Docker: what a fresh clone gives the Dockerfile is built, and runs as the image's user. As root the
// disk is read-only for it, but for its /tmp.

const name = `ratecard_test_image_${randomBytes(4).toString('hex')}`
const isRoot = process.getuid?.() === 0
let image: Image
let env: Record<string, string>

beforeAll(async () => {
  image = await buildImage()
  await createDatabase(inject('postgresUrl'), name)
  mkdirSync(join(image.folder, 'tmp'))
  env = {
    ...imageSettings,
    PATH: [join(image.folder, 'bin'), ...pathWithoutPackages()].join(':'),
    DATABASE_URL: urlOfDatabase(inject('postgresUrl'), name),
    SECRETS_KEY: generateSecretsKey(),
    TMPDIR: join(image.folder, 'tmp'),
    PORT: '0',
    ADMIN_PORT: '0',
    DRAIN_DELAY: '0s',
  }
}, 300_000)
afterAll(async () => {
  await dropDatabase(inject('postgresUrl'), name)
  if (image) await rm(image.folder, { recursive: true })
})

/** The words that start the entrypoint with these arguments, as the image's user. */
function wordsFor(args: readonly string[]): [string, string[]] {
  const entrypoint = wordsOf(instruction('ENTRYPOINT'))
  const user = instruction('USER')
  const script = [
    'mount --bind / /',
    'mount -o remount,bind,ro /',
    'mount -t tmpfs -o mode=1777 none "$TMPDIR"',
    `exec setpriv --reuid ${user} --regid ${user} --clear-groups --no-new-privs "$@"`,
  ].join(' && ')
  const words = [...(isRoot ? ['unshare', '--mount', 'sh', '-c', script, 'sh'] : []), ...entrypoint, ...args]
  return [words[0]!, words.slice(1)]
}

async function ratecard(...args: string[]): Promise<Record<string, string>> {
  const { stdout } = await promisify(execFile)(...wordsFor([...args, '--json']), {
    ...{ cwd: image.program, env },
    maxBuffer: 2 ** 26,
  })
  return JSON.parse(stdout) as Record<string, string>
}

test('has the Node that the server is tested with', () => {
  expect(dockerfile).toContain(`FROM node:${process.versions.node}-slim\n`)
})

test('migrates, loads prices and serves them with a dashboard, as an ordinary user on a read-only disk', async () => {
  await ratecard('migrate')
  await ratecard('feed', 'run', 'genai-prices')
  const { id } = await ratecard('accounts', 'create', '--name', 'Acme')
  const { key } = await ratecard('keys', 'create', '--account', id!)

  const serving = spawn(...wordsFor([...wordsOf(instruction('CMD')), '--no-migrate', '--json']), {
    cwd: image.program,
    env,
  })
  const closed = once(serving, 'close')
  onTestFinished(async () => {
    serving.kill('SIGKILL')
    await closed
  })
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    serving[stream].on('data', (text: Buffer) => (said[stream] += text.toString()))
  await until('it listens or ends', () => said.stdout.includes('}') || serving.exitCode !== null, {
    timeoutMs: 60_000,
  })
  expect(serving.exitCode, said.stderr).toBeNull()
  const { url, admin_port } = JSON.parse(said.stdout) as { url: string; admin_port: number }

  const status = async (path: string) => (await fetch(url + path)).status
  expect(await status('/health')).toBe(200)
  expect(await status('/models')).toBe(200)
  expect(await status('/openapi.yaml')).toBe(200)
  const dashboard = await fetch(`${url}/dashboard`)
  expect(dashboard.status).toBe(200)
  const [script = ''] = /\/dashboard\/assets\/[^"]+\.js/.exec(await dashboard.text()) ?? []
  expect(await status(script)).toBe(200)
  const prices = await fetch(`${url}/v1/prices?limit=5`, { headers: { Authorization: `Bearer ${key}` } })
  expect(prices.status).toBe(200)
  expect(((await prices.json()) as { data: unknown[] }).data).toHaveLength(5)

  const check = instruction('HEALTHCHECK')
  const [shell = '', ...rest] = wordsOf(check.slice(check.indexOf('CMD ') + 'CMD '.length))
  await promisify(execFile)(shell, rest, { env: { ...env, ADMIN_PORT: String(admin_port) } })
  serving.kill('SIGTERM')
  await closed
  expect(serving.exitCode, said.stderr).toBe(0)
})
