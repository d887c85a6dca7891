import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Schemas } from '../src/http/dashboard/schemas/index.ts'
import { standardSnippet } from '../../dashboard/src/pages/webhooks/snippets.ts'
import { generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import { useAlerting } from './support/alert-fixtures.ts'
import { useApi } from './support/api.ts'
import { createKey } from './support/actors.ts'
import { authorityFile } from './support/certificates.ts'
import type { Browser, DashboardAnswer } from './support/dashboard-client.ts'
import { signInOwner } from './support/dashboard-owner.ts'
import { useDatabase } from './support/postgres.ts'
import { isSigned, type Received } from './support/receiver.ts'
import { allAccept, allRefuse, verdictsOf } from './support/standard-webhooks.ts'

// The headers of Standard Webhooks, as two libraries of that standard see deliveries over HTTPS.

const database = useDatabase()
const secretsKey = generateSecretsKey()
const alerting = useAlerting(database, secretsKey)
const api = useApi(database, {
  env: { SECRETS_KEY: secretsKey, WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_CA_FILE: authorityFile },
})
beforeAll(async () => void (await alerting.startWorker()))

const theirs = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
const namesIn = ({ headers }: Received) => theirs.filter((name) => name in headers)
const dataOf = <Data>({ body }: DashboardAnswer): Data => (body as { data: Data }).data
let endpointCount = 0

interface Customer {
  browser: Browser
  accountId: string
}

async function customer(): Promise<Customer> {
  const browser = await signInOwner(database.db, api.url, { plan: 'scale' })
  return { browser, accountId: dataOf<Schemas['Me']>(await browser.get('/me')).account!.id }
}

/** A webhook that its owner made in the dashboard, at an endpoint that first answers with these. */
async function webhookOf(
  { browser }: Customer,
  { secret, statuses = [] }: { secret?: string; statuses?: number[] },
) {
  endpointCount += 1
  const path = `/standard/${endpointCount}`
  const url = alerting.receiver.url + path
  const left = [...statuses]
  alerting.receiver.behave(path, (res) => res.writeHead(left.shift() ?? 200).end())
  const answer = await browser.post('/webhooks', { url, ...(secret !== undefined && { secret }) })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  const made = dataOf<Schemas['NewWebhook']>(answer)
  const { id } = made.record
  return {
    id,
    secret: made.secret,
    record: made.record,
    received: () => alerting.receiver.received.filter((item) => item.path === path),
    set: async (standard_headers: boolean) =>
      dataOf<Schemas['Webhook']>(await browser.send('PATCH', `/webhooks/${id}`, { standard_headers })),
  }
}

const updatesOf = async (accountId: string) =>
  database.db
    .selectFrom('audit_entries')
    .select(['actor', 'subject_id', 'details'])
    .where('account_id', '=', accountId)
    .where('action', '=', 'webhook.updated')
    .orderBy('at')
    .execute()

describe('switched on', () => {
  test.each<[string, string | undefined]>([
    ['that was generated', undefined],
    ['of ASCII', 'a secret of sixteen, with spaces'],
    ['beyond Latin-1', 'Schlüssel → 鍵 😀 und mehr'],
    ['that looks like a key of theirs', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  ])('both libraries verify every attempt, with a secret %s', async (_name, ownSecret) => {
    const webhook = await webhookOf(await customer(), {
      statuses: [500, 503],
      ...(ownSecret !== undefined && { secret: ownSecret }),
    })
    await webhook.set(true)
    await alerting.publish()
    const [delivery] = await alerting.settled(webhook.id)
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 3 })
    const received = webhook.received()
    expect(received.map(({ headers }) => headers['x-svc-attempt'])).toEqual(['1', '2', '3'])
    for (const item of received) {
      const { headers, alert } = item
      expect(verdictsOf(item, webhook.secret)).toEqual(allAccept)
      expect(headers['webhook-id']).toBe(delivery?.id)
      expect(headers['webhook-id']).toBe(headers['x-svc-delivery'])
      // Of this attempt, as in the body: a retry after a day is as young as the first attempt was.
      expect(headers['webhook-timestamp']).toBe(String(Math.floor(Date.parse(alert.timestamp) / 1_000)))
      // One signature.
      expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/)
      expect(isSigned(item, webhook.secret), 'ours stays beside them').toBe(true)
    }
  })

  test('they refuse another secret, another body, another id and another time', async () => {
    const webhook = await webhookOf(await customer(), {})
    await webhook.set(true)
    await alerting.publish()
    await alerting.settled(webhook.id)
    const [item] = webhook.received()
    const { headers, body } = item!
    const earlier = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) }
    expect(verdictsOf(item!, webhook.secret)).toEqual(allAccept)
    expect(verdictsOf(item!, `${webhook.secret}x`)).toEqual(allRefuse)
    expect(verdictsOf({ headers, body: Buffer.concat([body, Buffer.of(0x20)]) }, webhook.secret)).toEqual(
      allRefuse,
    )
    expect(verdictsOf({ headers: { ...headers, 'webhook-id': 'dlv_x' }, body }, webhook.secret)).toEqual(
      allRefuse,
    )
    expect(verdictsOf({ headers: earlier, body }, webhook.secret)).toEqual(allRefuse)
  })

  test('what is sent again has an id of its own, and the secret that is stored now signs it', async () => {
    const someone = await customer()
    const webhook = await webhookOf(someone, {})
    await webhook.set(true)
    await alerting.publish()
    const [delivery] = await alerting.settled(webhook.id)
    const rotated = dataOf<Schemas['NewWebhook']>(
      await someone.browser.post(`/webhooks/${webhook.id}/secret`, {}),
    )
    const again = dataOf<Schemas['Delivery']>(
      await someone.browser.post(`/deliveries/${delivery?.id}/resend`),
    )
    await alerting.settled(webhook.id, 2)
    const [first, second] = webhook.received()
    expect(second?.headers['webhook-id']).toBe(again.id)
    expect(verdictsOf(first!, webhook.secret)).toEqual(allAccept)
    expect(verdictsOf(second!, webhook.secret)).toEqual(allRefuse)
    expect(verdictsOf(second!, rotated.secret)).toEqual(allAccept)
  })

  test('the code on the page verifies a delivery', async () => {
    const webhook = await webhookOf(await customer(), { secret: 'ein Schlüssel → 鍵 😀' })
    await webhook.set(true)
    await alerting.publish()
    await alerting.settled(webhook.id)
    const folder = await mkdtemp(join(tmpdir(), 'ratecard-standard-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await symlink(fileURLToPath(new URL('../node_modules', import.meta.url)), join(folder, 'node_modules'))
    await writeFile(join(folder, standardSnippet.file), standardSnippet.code)
    const use = `import { verify } from './${standardSnippet.file}'
const [body, headers] = JSON.parse(process.argv[2])
process.stdout.write(verify(Buffer.from(body, 'base64'), headers).changes[0].id)`
    await writeFile(join(folder, 'use.mjs'), use)
    const [item] = webhook.received()
    const verify = (secret: string) => {
      const delivery = JSON.stringify([item!.body.toString('base64'), item!.headers])
      const env = { PATH: process.env.PATH, RATECARD_WEBHOOK_SECRET: secret }
      return promisify(execFile)(process.execPath, [join(folder, 'use.mjs'), delivery], { env })
    }
    expect((await verify(webhook.secret)).stdout).toBe(item!.alert.changes[0]?.id)
    await expect(verify('another secret of theirs')).rejects.toThrow('No matching signature found')
  })
})

describe('the switch', () => {
  test('is off at first, holds from the next attempt on, and is in the audit log', async () => {
    const { browser, accountId } = await customer()
    const webhook = await webhookOf({ browser, accountId }, {})
    expect(webhook.record.standard_headers).toBe(false)
    const send = async () => {
      expect((await browser.post(`/webhooks/${webhook.id}/test`)).status).toBe(200)
      return webhook.received().at(-1)!
    }
    expect(namesIn(await send())).toEqual([])
    expect(await webhook.set(true)).toMatchObject({ standard_headers: true, active: true })
    const sample = await send()
    expect(namesIn(sample)).toEqual(theirs)
    expect(verdictsOf(sample, webhook.secret)).toEqual(allAccept)
    expect(sample.headers['webhook-id']).toBe(sample.headers['x-svc-delivery'])
    // Setting the present value is no change.
    await webhook.set(true)
    expect(await webhook.set(false)).toMatchObject({ standard_headers: false })
    expect(namesIn(await send())).toEqual([])
    await alerting.publish()
    await alerting.settled(webhook.id)
    expect(namesIn(webhook.received().at(-1)!)).toEqual([])
    expect(await updatesOf(accountId)).toEqual(
      ['on', 'off'].map((state) => ({
        actor: 'user',
        subject_id: webhook.id,
        details: { standard_headers: state },
      })),
    )
  })

  test('is the owner’s and the members’, not another account’s', async () => {
    const webhook = await webhookOf(await customer(), {})
    const { browser: stranger } = await customer()
    const refused = await stranger.send('PATCH', `/webhooks/${webhook.id}`, { standard_headers: true })
    expect(refused.status).toBe(404)
    const { browser } = await customer()
    expect((await browser.send('PATCH', `/webhooks/${webhook.id}`, { standard_headers: 'yes' })).status).toBe(
      400,
    )
  })

  test('is not in the public interface, whose answers stay as they were', async () => {
    const { browser, accountId } = await customer()
    const webhook = await webhookOf({ browser, accountId }, {})
    await webhook.set(true)
    const { key } = await createKey(database.db, accountId)
    const listed = await api.request('/v1/webhooks', { key })
    expect(listed.status).toBe(200)
    expect(JSON.stringify(listed.body)).not.toContain('standard_headers')
    const body = { url: 'https://hooks.example.com/', secret: webhook.secret, standard_headers: true }
    expect((await api.request('/v1/webhooks', { key, method: 'POST', body })).status).toBe(400)
  })
})
