import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import { packageRoot } from '../src/platform/paths.ts'
import { authorityFile } from '../test/support/certificates.ts'
import { Browser } from '../test/support/dashboard-client.ts'
import { debianPostgres, initCluster, makeFolder, runAsPostgres } from '../test/support/debian-postgres.ts'
import { ratecard, startServer, type ServerProcess } from '../test/support/process.ts'
import { startReceiver, type Receiver } from '../test/support/receiver.ts'
import { describeCommit, unpackCommit } from '../test/support/release-tree.ts'
import { until } from '../test/support/until.ts'
import { ownPrices, statesFolder, type State } from './states.ts'

// Keeps a database as the server of a commit has made it, so that later servers can be proved to take it over: its dump,
// what its secrets are, and a backup of it. And makes that commit the one that a rolling upgrade begins with
// (docs/upgrading.md). Run it once for each commit that operators get: `keep-state [commit] [program]`, the program being
// `bin/ratecard.js` of a checkout of that commit where it does not run with the packages that are installed here.

if ('missing' in debianPostgres) throw new Error(`pg_dump is needed: ${debianPostgres.missing}`)
const programs = debianPostgres.folder
const { commit, version, migrations } = describeCommit(process.argv[2] ?? 'HEAD')
const name = commit.slice(0, 8)
const work = await mkdtemp(join(tmpdir(), 'ratecard-state-'))
const ends: (() => Promise<unknown>)[] = [() => rm(work, { recursive: true, force: true })]
const atEnd = (end: () => Promise<unknown>) => void ends.push(end)
try {
  const program = process.argv[3] ?? unpackCommit(commit, join(work, 'program'))
  const own = await makeFolder(`${work}-postgres`)
  atEnd(() => rm(own, { recursive: true, force: true }))
  const cluster = await initCluster(join(own, 'data'), [])
  atEnd(() => cluster.stop())
  await cluster.start()
  const receiver = await startReceiver()
  atEnd(() => receiver.close())
  const secretsKey = generateSecretsKey()
  const env = {
    ...{ DATABASE_URL: cluster.url, SECRETS_KEY: secretsKey, LOG_LEVEL: 'info' },
    ...{ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_CA_FILE: authorityFile },
  }
  const run = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await ratecard([...args, '--json'], env, program)
    if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
    return JSON.parse(stdout) as Record<string, string>
  }
  const server = await startServer(env, [], atEnd, 'serve', program)
  const scene = await live(server, receiver, run)
  await server.stop()

  const file = join(statesFolder, name)
  await rm(`${file}.backup.gz`, { force: true })
  const words = ['backup', '--to', `${file}.backup.gz`]
  // Commits before there were backups know no such word.
  const hasBackup = (await ratecard(words, env, program)).exitCode === 0
  const dump = join(own, 'dump.sql')
  const form = ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-privileges']
  await runAsPostgres(join(programs, 'pg_dump'), [...form, '-f', dump, cluster.url])
  // What psql alone understands, and comments.
  const text = (await readFile(dump, 'utf8')).replaceAll(/^(?:\\|--).*\n+/gm, '')
  await writeFile(`${file}.sql.gz`, gzipSync(text, { level: 9 }))
  const state: State = { commit, version, secretsKey, hasBackup, ...scene }
  await writeFile(`${file}.json`, `${JSON.stringify(state, null, 2)}\n`)
  await writeFile(
    join(packageRoot, 'released.json'),
    `${JSON.stringify({ version, commit, migrations }, null, 2)}\n`,
  )
  process.stdout.write(`${file}.json\n`)
} finally {
  for (const end of ends.reverse()) await end()
}

/** What an installation goes through: prices, keys of each kind, packs, alerts that came and one that waits, a person. */
async function live(
  { url, adminUrl, log }: ServerProcess,
  receiver: Receiver,
  run: (...args: string[]) => Promise<Record<string, string>>,
): Promise<Pick<State, 'keys' | 'webhooks' | 'person'>> {
  await until('a server', async () => (await fetch(`${adminUrl}/ready`)).ok)
  const ask = async (key: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const method = body ? 'POST' : 'GET'
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return { status: response.status, body: (await response.json()) as { data: Record<string, unknown> } }
  }
  const prices = join(work, 'prices.csv')
  await writeFile(prices, ownPrices)
  await run('feed', 'run', 'own-csv', '--file', prices)

  const customer = async (name: string, ...plan: string[]) => {
    const { id = '' } = await run('accounts', 'create', '--name', name)
    if (plan.length > 0) await run('subscriptions', 'set', '--account', id, '--plan', ...plan)
    const { id: keyId = '', key = '' } = await run('keys', 'create', '--account', id)
    return { accountId: id, keyId, key }
  }
  const paying = await customer('Acme', 'scale')
  const free = await customer('Ben')
  const pack = ['--requests', '10', '--expires-at', '2099-01-01T00:00:00Z']
  await run('topups', 'grant', '--account', free.accountId, ...pack)
  // The day's quota of the free plan, and three of the pack.
  for (let n = 0; n < 103; n += 1) await ask(free.key, '/v1/prices?limit=1')
  const webhooks = []
  for (const path of ['/well', '/ill']) {
    const secret = `the secret of ${path}, as it was`
    const { body } = await ask(paying.key, '/v1/webhooks', {
      url: receiver.url + path,
      events: ['*'],
      secret,
    })
    webhooks.push({ id: String(body.data.id), path, secret })
  }
  receiver.behave('/ill', (res) => res.writeHead(500).end())
  const change = {
    vendor: 'acme',
    product: 'acme/model-1',
    modality: 'llm',
    category: 'price_cut',
    severity: 3,
  }
  const words = { title: 'A change before', summary: 'Input tokens cost less.', impact_score: 40 }
  await writeFile(join(work, 'changes.json'), JSON.stringify([{ ...change, ...words }]))
  await run('changes', 'publish', join(work, 'changes.json'))
  await receiver.waitFor(2)
  for (let n = 0; n < 7; n += 1) await ask(paying.key, '/v1/prices?vendor=acme')
  await ask(paying.key, '/v1/changes')
  // A counter that two keys share, and a key that is refused.
  const rotated = await run('keys', 'rotate', paying.keyId)
  for (let n = 0; n < 2; n += 1) await ask(String(rotated.key), '/v1/changes')
  const revoked = await run('keys', 'create', '--account', paying.accountId)
  await run('keys', 'revoke', String(revoked.id))

  const person = { email: 'ada@customer.example', password: 'correct horse battery' }
  const browser = new Browser(url)
  await browser.post('/sign-up', { email: person.email })
  const link = await until('a link', () => /#token=([\w.-]+)/.exec(log())?.[1])
  await browser.post('/finish-sign-up', { token: link, name: 'Ada', password: person.password })
  const { status } = await browser.post('/sign-in', person)
  if (status !== 200) throw new Error(`Signing in was answered with ${status}.`)
  return {
    keys: { free: free.key, paying: String(rotated.key), revoked: String(revoked.key) },
    webhooks,
    person,
  }
}
