import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { authPurpose, parseVersion } from '../src/features/members/auth.ts'
import { insertVerifiedUser } from '../src/features/members/user-store.ts'
import { projectRoot } from '../src/platform/paths.ts'
import { createSecretBox, generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import { insertWebhook } from '../src/features/webhooks/webhook-store.ts'
import { createCustomer } from '../test/support/actors.ts'
import { authorityFile } from '../test/support/certificates.ts'
import { changeFile } from '../test/support/fixtures.ts'
import { Ids, readBlocks, wordsOf, type GuideBlock } from '../test/support/guide.ts'
import { copyClone, ownVariables, pathWithoutPackages } from '../test/support/image.ts'
import { createDatabase, dropDatabase, urlOfDatabase, useDatabase } from '../test/support/postgres.ts'
import { environment, program } from '../test/support/process.ts'
import { startReceiver, type Receiver } from '../test/support/receiver.ts'
import { runHere } from '../test/support/run-here.ts'
import { useTwoRoles } from '../test/support/two-roles.ts'
import { until } from '../test/support/until.ts'

// A stranger's walk through docs/operations.md: each command of its `sh` blocks is copied and run, in its order. What
// cannot run here is listed with the reason; a reason that no command has any more fails too.

const guide = new URL('../../../docs/operations.md', import.meta.url)
const blocks = await readBlocks(guide)

/** By how a command begins. */
const notHere: Record<string, string> = {
  'sh scripts/compose-secrets.sh && docker': 'Docker',
  'docker compose': 'Docker',
  'LISTEN=0.0.0.0:8080 docker compose': 'Docker',
  'ratecard feed refresh': 'it reads the network: test/feed-refresh.long.test.ts',
  'ratecard feed review show': 'it needs a held price: test/feed-guards.test.ts',
  'ratecard feed review accept': 'it needs a held price: test/feed-guards.test.ts',
  'ratecard feed review reject': 'it needs a held price: test/feed-guards.test.ts',
  'pgbackrest ': 'it needs a cluster that archives its log: proofs/restore.test.ts',
  'pg_dump ': 'it must be of the version of the server or newer, and no pg_dump comes with the embedded one',
  'pg_restore ': 'the same',
}

/** Sections of the embedded database: without DATABASE_URL. */
const embedded = ['Backup and restore', 'Move to a PostgreSQL of your own']

const source = useDatabase()
const { roles, urlAs } = useTwoRoles()
const secretsKey = generateSecretsKey()
const moveTo = `ratecard_test_walk_${randomBytes(4).toString('hex')}`
const ids = new Ids()
let folder = ''
/** Where the guide says "in the repository". */
let clone = ''
let receiver: Receiver
const used = new Set<string>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ratecard-walk-'))
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'backups'))
  clone = join(folder, 'clone')
  copyClone(clone)
  receiver = await startReceiver()
  await createDatabase(inject('postgresUrl'), moveTo)
  const shim = join(folder, 'bin/ratecard')
  await mkdir(join(folder, 'bin'))
  await writeFile(shim, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 })
  const [, settings = ''] = /^```ini\n([^`]*)```$/m.exec(await readFile(guide, 'utf8')) ?? []
  await writeFile(join(folder, 'ratecard.env'), prepare(settings).replace('10.0.0.7', '127.0.0.1'))
  await writeFile(join(folder, 'changes.json'), JSON.stringify([changeFile()]))
  await writeFile(
    join(folder, 'prices.json'),
    JSON.stringify({
      'gpt-4o': {
        ...{ litellm_provider: 'openai', mode: 'chat' },
        ...{ input_cost_per_token: 0.0000025, output_cost_per_token: 0.00001 },
      },
    }),
  )
  for (const [name, value] of Object.entries(environmentOf(''))) vi.stubEnv(name, value)
  // What the guide takes for granted: prices, a customer with a webhook, an alert that waits, a user with a second
  // factor.
  for (const words of ['feed run genai-prices', 'feed run litellm --file prices.json --no-alert'])
    expect(await runHere(words.split(' '))).toMatchObject({ exitCode: 0 })
  const { db } = source
  const box = createSecretBox([secretsKey])
  const { accountId } = await createCustomer(db, { plan: 'scale' })
  const input = { url: `${receiver.url}/walk`, events: ['*' as const], secret: 'sixteen-or-more-characters' }
  await db.transaction().execute(async (trx) => {
    ids.note((await insertWebhook(trx, accountId, input, box)).id)
    const userId = await insertVerifiedUser(trx, {
      ...{ name: 'Ada', email: 'ada@customer.example', password: 'correct horse battery' },
    })
    const [secret] = box.deriveAll(authPurpose)
    const sealed = `$ba$${parseVersion(secret!)}$00`
    await trx
      .insertInto('auth_two_factors')
      .values({ id: 'tf', user_id: userId, secret: sealed, backup_codes: sealed })
      .execute()
    await trx.updateTable('auth_users').set({ two_factor_enabled: true }).where('id', '=', userId).execute()
  })
  for (const [name, value] of Object.entries(environmentOf(embedded[0]!))) vi.stubEnv(name, value)
  expect(await runHere(['accounts', 'create', '--name', 'Acme'])).toMatchObject({ exitCode: 0 })
  await writeFile(join(folder, 'data/secrets-key'), secretsKey, { mode: 0o600 })
  for (const [name, value] of Object.entries(environmentOf(''))) vi.stubEnv(name, value)
  expect(await runHere(['changes', 'publish', 'changes.json'])).toMatchObject({ exitCode: 0 })
  ids.note((await db.selectFrom('deliveries').select('id').executeTakeFirstOrThrow()).id)
  ids.note((await db.selectFrom('changes').select('id').executeTakeFirstOrThrow()).id)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await receiver?.close()
  await dropDatabase(inject('postgresUrl'), moveTo)
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
})

function environmentOf(section: string): Record<string, string | undefined> {
  const isEmbedded = embedded.includes(section)
  return {
    DATABASE_URL: isEmbedded ? undefined : source.url,
    SECRETS_KEY: isEmbedded ? undefined : secretsKey,
    DATA_DIR: join(folder, 'data'),
    NEW_DATABASE_URL: urlOfDatabase(inject('postgresUrl'), moveTo),
    INIT_CWD: folder,
    FEED_SOURCES: '[]',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_CA_FILE: authorityFile,
  }
}

interface Ran {
  command: string
  exitCode: number
  output: string
}

const reasonOf = (command: string) => Object.keys(notHere).find((start) => command.startsWith(start))

/** In this process where it can be: it takes a tenth of the time. */
async function runCommand(command: string, section: string): Promise<Ran> {
  const words = wordsOf(command)
  for (const [name, value] of Object.entries(environmentOf(section))) vi.stubEnv(name, value)
  if (words?.[0] === 'ratecard') {
    const { exitCode, stdout, stderr } = await runHere(words.slice(1))
    ids.note(stdout)
    return { command, exitCode: exitCode ?? 1, output: stdout + stderr }
  }
  return / (serve|worker)\b/.test(command) ? serveInShell(command, section) : runInShell(command, section)
}

/** On the machine's own Node, as somebody's shell has it. */
function shellFor(command: string, section: string) {
  const isOfRepository = /^(npx|sh scripts)/.test(command)
  const set = Object.entries(environmentOf(section)).filter((entry): entry is [string, string] =>
    Boolean(entry[1]),
  )
  return {
    // The clone is only files: what is asked of git is asked of the repository.
    cwd: command.startsWith('git ') ? projectRoot : isOfRepository ? clone : folder,
    env: {
      ...(isOfRepository ? ownVariables() : environment(Object.fromEntries(set))),
      PATH: [join(folder, 'bin'), ...pathWithoutPackages()].join(':'),
    },
  }
}

async function runInShell(script: string, section: string): Promise<Ran> {
  return new Promise((resolve) => {
    execFile('sh', ['-ec', script], shellFor(script, section), (error, stdout, stderr) => {
      ids.note(stdout)
      resolve({ command: script, exitCode: error ? 1 : 0, output: stdout + stderr })
    })
  })
}

/** Until its pages are there, or a worker has begun. */
async function serveInShell(command: string, section: string): Promise<Ran> {
  const shell = shellFor(command, section)
  const env = { ...shell.env, PORT: '0', ADMIN_PORT: '0' }
  const child = spawn('sh', ['-ec', command], { ...shell, env, detached: true })
  const closed = once(child, 'close')
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (output += text.toString()))
  const isWorker = / worker\b/.test(command)
  const isUp = () => output.includes(isWorker ? 'sending alerts and reading sources' : '"listening"')
  const portOf = () => /"port":(\d+),.*"listening"/.exec(output)?.[1]
  try {
    await until('it is up or ends', () => isUp() || child.exitCode !== null, { timeoutMs: 60_000 })
    expect(child.exitCode, output).toBeNull()
    for (const path of isWorker ? [] : ['/health', '/dashboard']) {
      const { status } = await fetch(`http://127.0.0.1:${portOf()}${path}`)
      expect(status, `${command}: ${path}\n${output}`).toBe(200)
    }
    return { command, exitCode: 0, output }
  } finally {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGTERM')
    await closed
  }
}

/** Lines that set variables for those after them make one script of their block. */
const isScript = ({ commands }: GuideBlock) => commands.some((command) => command.startsWith('export '))

const prepare = (text: string) =>
  ids
    .fill(text)
    .replaceAll(/\/(?:srv|etc)\//g, `${folder}/`)
    .replace('postgres://ratecard_owner:…@host/ratecard', urlAs(roles.owner))
    .replace('postgres://ratecard_server:…@host/ratecard', urlAs(roles.serving))
    .replace('SECRETS_KEY=…', `SECRETS_KEY=${secretsKey}`)

async function walk(block: GuideBlock): Promise<Ran[]> {
  const runnable = block.commands.filter((command) => {
    const reason = reasonOf(command)
    if (reason !== undefined) used.add(reason)
    return reason === undefined
  })
  if (isScript(block)) return [await runInShell(runnable.map(prepare).join('\n'), block.section)]
  const ran: Ran[] = []
  let settings = ''
  for (const command of runnable) {
    if (command.startsWith('set -a; ')) settings = `${command}; `
    else ran.push(await runCommand(prepare(settings + command), block.section))
    if ((ran.at(-1)?.exitCode ?? 0) !== 0) break
  }
  return ran
}

describe('docs/operations.md', () => {
  test.each(blocks.map((block) => [`${block.section}, line ${block.line}`, block] as const))(
    '%s',
    async (_name, block) => {
      for (const { command, exitCode, output } of await walk(block)) {
        expect(output, command).not.toContain('fault of ours')
        expect(exitCode, `${command}\n${output}`).toBe(0)
      }
    },
  )

  test('every reason why a command is not run here has its command', () => {
    expect(Object.keys(notHere).filter((start) => !used.has(start))).toEqual([])
  })
})
