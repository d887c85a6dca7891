import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { deleteAged } from '../src/database/aged-rows.ts'
import { alertsWithoutDelivery, finishedDeliveries } from '../src/features/webhooks/old-deliveries.ts'
import { createSecretBox, generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import { deleteWebhook } from '../src/features/webhooks/webhook-store.ts'
import type { Worker } from '../src/process/worker.ts'
import { publicUrl, secret, soon, useAlerting } from './support/alert-fixtures.ts'
import { createCustomer } from './support/actors.ts'
import { useDatabase } from './support/postgres.ts'
import { ratecard, type CommandResult } from './support/process.ts'
import { runHere } from './support/run-here.ts'
import { isSigned } from './support/receiver.ts'
import { changeFile } from './support/fixtures.ts'
import { allAccept, allRefuse, verdictsOf } from './support/standard-webhooks.ts'

// The operator's commands for alerts, in both forms: lines for people, and --json.

const database = useDatabase()
const alerting = useAlerting(database)
let worker: Worker
beforeAll(async () => {
  worker = await alerting.startWorker()
})
const folder = mkdtempSync(join(tmpdir(), 'ratecard-alert-commands-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a command in this process, which takes a tenth of the time of one of its own. */
async function run(...args: string[]): Promise<CommandResult> {
  for (const [name, value] of Object.entries(alerting.env())) vi.stubEnv(name, value)
  try {
    const result = await runHere(args)
    expect(result.stdout + result.stderr).not.toContain(secret)
    return result
  } finally {
    vi.unstubAllEnvs()
  }
}

/** The document that a command prints with --json. */
async function json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
  const { stdout, stderr, exitCode } = await run(...args, '--json')
  expect(exitCode, stderr).toBe(0)
  return JSON.parse(stdout) as T
}

async function delivered() {
  const webhook = await alerting.subscribe()
  const { ids } = await alerting.publish()
  const [delivery] = await alerting.settled(webhook.id)
  return { webhook, changeId: ids[0] ?? '', deliveryId: delivery?.id ?? '' }
}

/** The operator's entries in the account's audit log, in order. */
async function auditOf(accountId: string): Promise<string[]> {
  const entries = await database.db
    .selectFrom('audit_entries')
    .select(['actor', 'action', 'subject_id'])
    .where('account_id', '=', accountId)
    .orderBy('at')
    .execute()
  return entries.map(({ actor, action, subject_id }) => `${actor} ${action} ${subject_id}`)
}

describe('changes publish', () => {
  test('alerts, and with --no-alert does not', async () => {
    const webhook = await alerting.subscribe()
    const file = join(folder, 'changes.json')
    await writeFile(file, JSON.stringify([changeFile({ severity: 1 }), changeFile({ severity: 1 })]))
    expect((await run('changes', 'publish', file, '--no-alert')).stderr).toContain('0 deliveries queued.')
    const { stderr, exitCode } = await run('changes', 'publish', file)
    expect({ stderr, exitCode }).toEqual({ stderr: '1 delivery queued.\n', exitCode: 0 })
    await alerting.settled(webhook.id)
    expect(webhook.received()).toHaveLength(1)
    expect(webhook.received()[0]?.alert.changes).toHaveLength(2)
  })
})

describe('webhooks', () => {
  test('list shows the subscriptions of an account without their secrets', async () => {
    const webhook = await alerting.subscribe({ behave: (res) => res.writeHead(410).end() })
    await alerting.publish()
    await alerting.settled(webhook.id)
    const list = await json<unknown[]>('webhooks', 'list', '--account', webhook.accountId)
    expect(list).toMatchObject([
      { id: webhook.id, url: webhook.url, active: false, has_secret: true, last_status: 410 },
    ])
    const { stdout } = await run('webhooks', 'list', '--account', webhook.accountId)
    for (const text of [webhook.id, webhook.url, 'change.alert', 'no', '410', 'http_410: '])
      expect(stdout).toContain(text)
    const { accountId } = await createCustomer(database.db)
    expect((await run('webhooks', 'list', '--account', accountId)).stdout).toBe('No webhooks.\n')
  })

  test('enable switches on again, within the limit of the plan', async () => {
    const { accountId } = await createCustomer(database.db, { plan: 'developer' })
    const off = await alerting.subscribe({ accountId })
    const asWell = await alerting.subscribe({ accountId })
    await sql`update webhooks set active = false where id in (${off.id}, ${asWell.id})`.execute(database.db)
    expect(await json('webhooks', 'enable', off.id)).toEqual({
      id: off.id,
      account_id: accountId,
      url: off.url,
      active: true,
    })
    // Switching on an active webhook is no error.
    expect((await run('webhooks', 'enable', off.id)).stdout).toBe(`${off.id} is active.\n`)
    await alerting.subscribe({ accountId })
    const refused = await run('webhooks', 'enable', asWell.id)
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    expect(refused.stderr).toContain('2 active webhooks and its plan allows 2')
    expect((await alerting.webhook(asWell)).active).toBe(false)
    const enabled = `operator webhook.updated ${off.id}`
    expect(await auditOf(accountId)).toEqual([enabled, enabled])
    expect((await run('webhooks', 'enable', 'wh_none')).stderr).toContain('There is no webhook "wh_none"')
  })

  test('filter says of which changes it is told, and shows it', async () => {
    const webhook = await alerting.subscribe()
    const filter = (...args: string[]) =>
      json<{ filter: object; preview: { matching: number; all: number } }>(
        'webhooks',
        'filter',
        webhook.id,
        ...args,
      )
    const none = { vendors: [], products: [], min_severity: 1 }
    expect((await filter()).filter).toEqual(none)
    const named = { vendors: ['acme', 'openai'], products: ['acme/alpha'], min_severity: 4 }
    const set = ['--vendor', 'openai', '--vendor', 'acme', '--product', 'acme/alpha', '--min-severity', '4']
    expect((await filter(...set)).filter).toEqual(named)
    expect((await filter()).filter).toEqual(named)
    await alerting.publish(changeFile({ severity: 5 }), changeFile({ severity: 3 }))
    await alerting.settled(webhook.id)
    expect(webhook.received().map(({ alert }) => alert.changes.map(({ severity }) => severity))).toEqual([
      [5],
    ])
    const { stdout } = await run('webhooks', 'filter', webhook.id)
    expect(stdout).toContain('vendor acme or openai, product acme/alpha, severity 4 or more')
    expect(stdout).toMatch(/matches \d+ of \d+ changes of the last 90 days/)
    const unheard = await run('webhooks', 'filter', webhook.id, '--vendor', 'nobody')
    expect(unheard.stdout).toContain('That matches no change of the last 90 days.')
    expect((await filter('--clear')).filter).toEqual(none)
    const [listed] = await json<{ filter: object }[]>('webhooks', 'list', '--account', webhook.accountId)
    expect(listed!.filter).toEqual(none)
    for (const wrong of [
      ['--clear', '--vendor', 'x'],
      ['--vendor', ' '],
      ['--product', 'x'.repeat(201)],
    ])
      expect(await run('webhooks', 'filter', webhook.id, ...wrong)).toMatchObject({ exitCode: 1, stdout: '' })
    expect((await run('webhooks', 'filter', webhook.id, '--min-severity', '6')).exitCode).toBe(2)
  })

  test('rename gives it a name, and takes it away', async () => {
    const webhook = await alerting.subscribe()
    expect(await json('webhooks', 'rename', webhook.id, 'Desk')).toMatchObject({ name: 'Desk' })
    expect((await run('webhooks', 'list', '--account', webhook.accountId)).stdout).toContain('Desk')
    expect((await run('webhooks', 'rename', webhook.id)).stdout).toContain('goes by its address')
    expect((await run('webhooks', 'rename', webhook.id, 'a\u202eb')).exitCode).toBe(2)
  })

  test('test sends a signed sample and leaves no trace but in the audit log', async () => {
    const webhook = await alerting.subscribe()
    const before = await alerting.webhook(webhook)
    const result = await json<{ id: string }>('webhooks', 'test', webhook.id)
    expect(result).toMatchObject({ webhook_id: webhook.id, ok: true, status: 200, error: null })
    expect((await run('webhooks', 'test', webhook.id)).stdout).toMatch(
      /^200 in \d+ ms: the endpoint accepts alerts\.$/m,
    )
    const [sample] = webhook.received()
    expect(webhook.received()).toHaveLength(2)
    expect(sample?.headers).toMatchObject({
      'x-svc-test': 'true',
      'x-svc-attempt': '1',
      'x-svc-delivery': result.id,
    })
    expect(sample && isSigned(sample, secret)).toBe(true)
    expect(alerting.check('change.alert', sample?.alert)).toBeNull()
    const [change] = sample?.alert.changes ?? []
    expect(change).toMatchObject({ vendor: 'ratecard-test', severity: 1 })
    expect(change?.id).toMatch(/^test_/)
    expect(change?.url).toBe(`${publicUrl}/changes/${change?.id}`)
    expect(await alerting.webhook(webhook)).toEqual(before)
    expect(await alerting.deliveries(webhook.id)).toEqual([])
    const tested = `operator webhook.tested ${webhook.id}`
    expect(await auditOf(webhook.accountId)).toEqual([tested, tested])
  })

  test('standard-headers switches them on and off; list says how they stand', async () => {
    const webhook = await alerting.subscribe()
    const listed = () => json('webhooks', 'list', '--account', webhook.accountId)
    expect(await listed()).toMatchObject([{ id: webhook.id, standard_headers: false, has_secret: true }])
    expect(await json('webhooks', 'standard-headers', webhook.id, 'on')).toEqual({
      id: webhook.id,
      account_id: webhook.accountId,
      url: webhook.url,
      standard_headers: true,
    })
    expect(await listed()).toMatchObject([{ standard_headers: true }])
    const { stdout } = await run('webhooks', 'list', '--account', webhook.accountId)
    expect(stdout).toMatch(/standard headers/)
    await json('webhooks', 'test', webhook.id)
    expect(verdictsOf(webhook.received()[0]!, secret)).toEqual(allAccept)
    expect((await run('webhooks', 'standard-headers', webhook.id, 'off')).stdout).toBe(
      `${webhook.id} receives Ratecard headers only.\n`,
    )
    await json('webhooks', 'test', webhook.id)
    expect(verdictsOf(webhook.received()[1]!, secret)).toEqual(allRefuse)
    const entries = await database.db
      .selectFrom('audit_entries')
      .select(['actor', 'action', 'details'])
      .where('account_id', '=', webhook.accountId)
      .where('action', '=', 'webhook.updated')
      .orderBy('at')
      .execute()
    expect(entries).toEqual(
      ['on', 'off'].map((state) => ({
        actor: 'operator',
        action: 'webhook.updated',
        details: { standard_headers: state },
      })),
    )
    expect(await run('webhooks', 'standard-headers', webhook.id, 'yes')).toMatchObject({
      exitCode: 2,
      stdout: '',
    })
    const unknown = await run('webhooks', 'standard-headers', 'wh_none', 'on')
    expect(unknown.stderr).toContain('There is no webhook "wh_none"')
  })

  test('test ends with 1 and says the remedy where the endpoint does not accept', async () => {
    const webhook = await alerting.subscribe({ behave: (res) => res.writeHead(401).end('canary') })
    const { exitCode, stdout } = await run('webhooks', 'test', webhook.id, '--json')
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, status: 401, error_class: 'http_401' })
    const lines = await run('webhooks', 'test', webhook.id)
    expect(lines.exitCode).toBe(1)
    expect(lines.stdout).toMatch(/^http_401 after \d+ ms: .*secret given at creation/)
    expect(lines.stdout + lines.stderr + stdout).not.toContain('canary')
    expect(await alerting.webhook(webhook)).toMatchObject({ last_status: null, last_error: null })
  })
})

describe('deliveries', () => {
  test('list shows them newest first, by subscription and state', async () => {
    const { webhook, deliveryId, changeId } = await delivered()
    const failing = await alerting.subscribe({ behave: (res) => res.writeHead(500).end() })
    await alerting.publish()
    await alerting.settled(failing.id)
    const cutOf = (...args: string[]) =>
      json<{ rows: { id: string; state: string }[]; cut: unknown }>('deliveries', 'list', ...args)
    const of = async (...args: string[]) => (await cutOf(...args)).rows
    const own = await of('--webhook', webhook.id)
    expect(own).toHaveLength(2)
    expect(own[1]).toMatchObject({
      id: deliveryId,
      webhook_id: webhook.id,
      account_id: webhook.accountId,
      state: 'delivered',
      attempts: 1,
      changes: [changeId],
      next_attempt_at: null,
    })
    expect((await of('--state', 'exhausted')).map(({ state }) => state)).toContain('exhausted')
    expect(await of('--webhook', webhook.id, '--state', 'exhausted')).toEqual([])
    expect(await cutOf('--limit', '1')).toMatchObject({
      rows: [{ state: expect.any(String) as string }],
      cut: { shown: 1, all: '--limit 100000' },
    })
    const { stdout } = await run('deliveries', 'list', '--webhook', webhook.id)
    for (const text of ['state', deliveryId, 'delivered']) expect(stdout).toContain(text)
    expect((await run('deliveries', 'list', '--webhook', 'wh_none')).stdout).toBe('No deliveries.\n')
    expect(await run('deliveries', 'list', '--state', 'lost')).toMatchObject({ stdout: '' })
  })

  test('show tells of every attempt, with what was sent and what came back', async () => {
    const webhook = await alerting.subscribe({
      behave: (res) => res.writeHead(503, { 'retry-after': '7' }).end('canary\u001b[2J'),
    })
    await alerting.publish()
    const [delivery] = await alerting.settled(webhook.id)
    const id = delivery?.id ?? ''
    const shown = await json<{ log: { exchange: object }[] }>('deliveries', 'show', id)
    expect(shown).toMatchObject({ id, state: 'exhausted', attempts: 3, next_attempt_at: null })
    expect(shown.log).toMatchObject(
      [1, 2, 3].map((attempt) => ({ attempt, status: 503, error_class: 'http_503' })),
    )
    const { stdout } = await run('deliveries', 'show', id)
    expect(stdout).toContain(`${id} to ${webhook.id}: exhausted, 1 changes`)
    expect(stdout.match(/http_503/g)).toHaveLength(3)
    for (const [place, { body, headers }] of webhook.received().entries()) {
      const signature = headers['x-svc-signature'] as string
      expect(shown.log[place]!.exchange).toMatchObject({
        url: webhook.url,
        request_headers: { 'x-svc-signature': signature, 'x-svc-attempt': String(place + 1) },
        body: body.toString(),
        response_headers: { 'retry-after': '7' },
        response_body: 'canary[2J',
      })
      expect(stdout).toContain(`> x-svc-signature: ${signature}`)
    }
    expect(stdout).toContain(`> ${webhook.received()[2]!.body.toString()}`)
    expect(stdout.match(/^< canary\[2J$/gm)).toHaveLength(3)
    expect(stdout + JSON.stringify(shown)).not.toContain(secret)
    expect((await run('deliveries', 'show', 'dlv_none')).stderr).toContain('There is no delivery "dlv_none"')
  })

  test('resend sends the same changes again as a delivery of its own', async () => {
    const { webhook, deliveryId, changeId } = await delivered()
    const again = await json<{ id: string }>('deliveries', 'resend', deliveryId)
    expect(again.id).not.toBe(deliveryId)
    expect(await alerting.settled(webhook.id, 2)).toMatchObject([
      { id: deliveryId, state: 'delivered', attempts: 1 },
      { id: again.id, state: 'delivered', attempts: 1, changes: [changeId] },
    ])
    expect(webhook.received()[1]?.headers).toMatchObject({
      'x-svc-delivery': again.id,
      'x-svc-attempt': '1',
    })
    expect(webhook.received()[1]?.alert.changes[0]?.id).toBe(changeId)
    expect((await run('deliveries', 'resend', deliveryId)).stdout).toMatch(/^dlv_\w+ is queued\.$/m)
    const resent = `operator delivery.resent ${deliveryId}`
    expect(await auditOf(webhook.accountId)).toEqual([resent, resent])

    await database.db.transaction().execute((trx) => deleteWebhook(trx, webhook.accountId, webhook.id))
    const refused = await run('deliveries', 'resend', deliveryId)
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    expect(refused.stderr).toContain('is deleted')
    expect((await run('deliveries', 'resend', 'dlv_none')).stderr).toContain('There is no delivery')
  })

  test('resend --failed sends each alert that failed once more, of a subscription or of an account', async () => {
    let status = 500
    const webhook = await alerting.subscribe({ behave: (res) => res.writeHead(status).end() })
    const { accountId } = webhook
    const beside = await alerting.subscribe({ accountId, behave: (res) => res.writeHead(status).end() })
    await alerting.publish()
    await alerting.publish()
    const [old] = await alerting.settled(webhook.id, 2)
    await alerting.settled(beside.id, 2)
    await sql`update deliveries set created_at = ratecard_now() - interval '2 days' where id = ${old!.id}`.execute(
      database.db,
    )
    status = 200
    const resend = (...args: string[]) =>
      json<{ deliveries: string[] }>('deliveries', 'resend', '--failed', ...args)
    const since = new Date(Date.now() - 86_400_000).toISOString()
    expect((await resend('--webhook', webhook.id, '--since', since)).deliveries).toHaveLength(1)
    await alerting.settled(webhook.id, 3)
    expect((await resend('--account', accountId)).deliveries).toHaveLength(3)
    await alerting.settled(webhook.id, 4)
    await alerting.settled(beside.id, 4)
    const nothing = 'Nothing failed that is not on its way again.\n'
    expect((await run('deliveries', 'resend', '--failed', '--account', accountId)).stdout).toBe(nothing)
    const again = await json<{ rows: { resent_from: string }[] }>(
      'deliveries',
      'list',
      '--webhook',
      webhook.id,
    )
    expect(again.rows.map(({ resent_from }) => resent_from)).toContain(old!.id)
    for (const wrong of [[], ['--failed'], [old!.id, '--failed'], [old!.id, '--since', since]])
      expect(await run('deliveries', 'resend', ...wrong)).toMatchObject({ exitCode: 1, stdout: '' })
  })

  test('explain says which condition fails', async () => {
    const { webhook, changeId, deliveryId } = await delivered()
    const explain = (change: string) =>
      json<{ would_send: boolean; checks: { id: string; holds: boolean }[] }>(
        ...['deliveries', 'explain', '--webhook', webhook.id, '--change', change],
      )
    const failing = async (change: string) =>
      (await explain(change)).checks.filter(({ holds }) => !holds).map(({ id }) => id)
    expect(await explain(changeId)).toMatchObject({
      would_send: true,
      deliveries: [{ id: deliveryId, state: 'delivered', attempts: 1 }],
    })
    const { ids } = await alerting.publish(changeFile({ category: 'incident' }))
    expect(await failing(ids[0] ?? '')).toEqual(['category'])
    await run('webhooks', 'filter', webhook.id, '--vendor', 'openai')
    expect(await failing(changeId)).toEqual(['filter'])
    await run('webhooks', 'filter', webhook.id, '--clear')
    await sql`update webhooks set active = false where id = ${webhook.id}`.execute(database.db)
    await sql`update subscriptions set ends_at = ratecard_now() where account_id = ${webhook.accountId}`.execute(
      database.db,
    )
    expect(await failing(changeId)).toEqual(['active', 'entitled'])
    const { stdout } = await run(...['deliveries', 'explain', '--webhook', webhook.id, '--change', changeId])
    expect(stdout).toContain('It would not be sent now.')
    expect(stdout).toContain(`ratecard webhooks enable ${webhook.id}`)
    const unknown = await run('deliveries', 'explain', '--webhook', webhook.id, '--change', 'chg_none')
    expect(unknown.stderr).toContain('There is no change "chg_none"')
  })
})

test('secrets rotate moves every secret to the new key while a worker sends', async () => {
  const webhooks = await Promise.all(Array.from({ length: 5 }, () => alerting.subscribe()))
  const newKey = generateSecretsKey()
  const keys = `${newKey},${alerting.env().SECRETS_KEY}`
  await worker.stop()
  worker = await alerting.startWorker({ SECRETS_KEY: keys })
  onTestFinished(async () => {
    await worker.stop()
    worker = await alerting.startWorker()
  })
  const env = alerting.env({ SECRETS_KEY: keys })
  await alerting.publish()
  const [rotated] = await Promise.all([ratecard(['secrets', 'rotate', '--json'], env), alerting.publish()])
  expect(rotated.exitCode, rotated.stderr).toBe(0)
  const { sealingKeyId } = createSecretBox([newKey])
  expect(JSON.parse(rotated.stdout)).toEqual({ id: sealingKeyId, moved: 5 })
  await alerting.publish()
  for (const webhook of webhooks) {
    await alerting.settled(webhook.id, 3)
    expect(webhook.received()).toHaveLength(3)
    for (const item of webhook.received()) expect(isSigned(item, secret)).toBe(true)
  }
  expect((await ratecard(['secrets', 'rotate'], env)).stdout).toBe(
    `0 secrets moved; all are under the key ${sealingKeyId} now.\n`,
  )
  // The old key is needed no more.
  const alone = await ratecard(['webhooks', 'test', webhooks[0]?.id ?? ''], {
    ...env,
    SECRETS_KEY: newKey,
  })
  expect(alone.exitCode, alone.stderr).toBe(0)
})

test('deliveries are forgotten after their days, with attempts and alerts, but never what is pending', async () => {
  const old = await delivered()
  const recent = await delivered()
  const pending = await delivered()
  const age = (id: string, days: number) =>
    sql`update deliveries set created_at = ratecard_now() - make_interval(days => ${days}) where id = ${id}`.execute(
      database.db,
    )
  await age(old.deliveryId, 31)
  await age(recent.deliveryId, 29)
  await age(pending.deliveryId, 31)
  await sql`update deliveries set state = 'pending' where id = ${pending.deliveryId}`.execute(database.db)
  await sql`update alerts set created_at = ratecard_now() - interval '31 days'`.execute(database.db)
  const alertsOf = async () =>
    (await sql<{ id: string }>`select id from alerts`.execute(database.db)).rows.length
  const alerts = await alertsOf()
  expect(await deleteAged(database.db, finishedDeliveries, 30)).toBe(1)
  await deleteAged(database.db, alertsWithoutDelivery, 30)
  const left = async (id: string) =>
    (await sql`select from deliveries where id = ${id}`.execute(database.db)).rows.length
  expect([await left(old.deliveryId), await left(recent.deliveryId), await left(pending.deliveryId)]).toEqual(
    [0, 1, 1],
  )
  const attempts = await sql`select from delivery_attempts where delivery_id = ${old.deliveryId}`.execute(
    database.db,
  )
  expect(attempts.rows).toEqual([])
  expect(await alertsOf()).toBeLessThan(alerts)
  await expect.poll(() => deleteAged(database.db, finishedDeliveries, 30), soon).toBe(0)
})
