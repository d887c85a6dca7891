import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { insertPasskey } from '../../server/src/features/members/passkey-store.ts'
import { findUserId } from '../../server/src/features/members/user-store.ts'
import type { Receiver } from '../../server/test/support/receiver.ts'
import { operatorSettings, seedHolds } from './holds.ts'
import { seedNotices } from './notices.ts'
import type { Product } from './product.ts'

/** The id with which a page of a path with an id is shown, by the part of the path before it. */
export type Seeds = Record<string, string>

/** The server's settings: it may send to endpoints on this machine, and gives up soon. Its demo user is an operator. */
export const seededSettings = (authorityFile: string): Record<string, string> => ({
  WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  WEBHOOK_CA_FILE: authorityFile,
  WEBHOOK_RETRY_SCHEDULE: '0s,100ms',
  ...operatorSettings,
})

export const change = {
  vendor: 'openai',
  product: 'openai/gpt-4o-mini',
  modality: 'llm',
  category: 'price_rise',
  severity: 4,
  title: 'GPT-4o mini costs more from December on',
  summary: 'Input rises from 0.15 to 0.20 US dollars per million tokens, output from 0.60 to 0.80.',
  diff_before: JSON.stringify({ 'openai:gpt-4o-mini': { input_per_mtok: 0.15, output_per_mtok: 0.6 } }),
  diff_after: JSON.stringify({ 'openai:gpt-4o-mini': { input_per_mtok: 0.2, output_per_mtok: 0.8 } }),
  diff_keys: JSON.stringify(['openai:gpt-4o-mini#input_per_mtok', 'openai:gpt-4o-mini#output_per_mtok']),
  impact_score: 62,
  alternatives: [
    {
      product_id: 'google/gemini-2.5-flash-lite',
      product_name: 'Gemini 2.5 Flash-Lite',
      vendor: 'google',
      migration_effort: 'low',
      cost_diff_pct: -42.5,
      quality_comparison: 'Comparable on short tasks.',
      rank: 1,
    },
  ],
}

/**
 * Gives the demo account a past: use on thirty days and today, keys in every state, packs, an endpoint that accepts
 * deliveries and one that fails, an invitation, and moves that wait for an operator.
 */
export async function seed(product: Product, receiver: Receiver): Promise<Seeds> {
  receiver.behave('/good', (res) => res.writeHead(202, { 'content-type': 'text/plain' }).end('queued'))
  receiver.behave('/bad', (res) => res.writeHead(500).end('Out of order'))
  const { demo, url, ratecard } = product
  const post = await signedInPost(product)

  const made: { data: { key: string; record: { id: string } } }[] = []
  for (const name of ['CI pipeline', 'Nightly report', 'An old laptop'])
    made.push(await post('/keys', { name }))
  const [ci = '', nightly = '', laptop = ''] = made.map(({ data }) => data.record.id)
  await post(`/keys/${nightly}/rotate`, { grace_seconds: 3_600 })
  await post(`/keys/${laptop}/revoke`)
  await addHistory(product, [ci, nightly, laptop])
  await use(url, demo.key, 38)
  await use(url, made[0]?.data.key ?? '', 17)

  await ratecard('topups', 'grant', '--account', demo.account_id)
  await ratecard('topups', 'grant', '--account', demo.account_id, '--requests', '500')
  await post('/invitations', { email: 'grace@customer.example', role: 'member' })

  const good: { data: { record: { id: string } } } = await post('/webhooks', {
    url: `${receiver.url}/good`,
    name: 'Price watcher',
    filter: { vendors: ['openai', 'anthropic'], min_severity: 3 },
  })
  await post('/webhooks', { url: `${receiver.url}/bad` })
  const file = join(tmpdir(), `ratecard-change-${process.pid}.json`)
  await writeFile(file, JSON.stringify([change]))
  await ratecard('changes', 'publish', file)
  await deliveriesEnded(product, 2)
  await post(`/webhooks/${good.data.record.id}/test`)
  await ratecard('webhooks', 'standard-headers', good.data.record.id, 'on')
  await seedNotices(product)
  await product.withDb((db) =>
    db.transaction().execute(async (trx) => {
      const userId = (await findUserId(trx, demo.email)) ?? ''
      for (const name of ['Chrome on Android', 'The security key in the drawer'])
        await insertPasskey(trx, userId, name, {
          credentialId: randomBytes(16).toString('base64url'),
          publicKey: randomBytes(77),
          signCount: 0,
        })
    }),
  )
  const { id: delivery } = await product.withDb((db) =>
    db
      .selectFrom('deliveries')
      .select('id')
      .where('webhook_id', '<>', good.data.record.id)
      .executeTakeFirstOrThrow(),
  )
  return {
    webhooks: good.data.record.id,
    deliveries: delivery,
    review: (await seedHolds(product)).get('acme:alpha') ?? '',
    keys: ci,
  }
}

/** Signs in with the printed credentials. @returns a function that posts as the pages do */
async function signedInPost({
  url,
  demo,
}: Product): Promise<(path: string, body?: object) => Promise<never>> {
  let cookie = ''
  const post = async (path: string, body?: object): Promise<never> => {
    const response = await fetch(`${url}/dashboard/api${path}`, {
      method: 'POST',
      headers: {
        origin: url,
        'x-ratecard-dashboard': '1',
        cookie,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = await response.text()
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${answer}`)
    cookie ||= response.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    return JSON.parse(answer) as never
  }
  await post('/sign-in', { email: demo.email, password: demo.password })
  return post
}

/** Requests prices as a program does. */
async function use(url: string, key: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${url}/v1/prices?limit=1`, { headers })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`A key of the seeds was answered ${response.status}.`)
  }
}

/** The use of a program: busy in the week, quiet on the weekend. */
async function addHistory({ withDb }: Product, keyIds: string[]): Promise<void> {
  const dayMs = 86_400_000
  const shares = { prices: 6, changes: 2, webhooks: 0.2 }
  const today = Date.now()
  const rows = keyIds.flatMap((key_id, place) =>
    Array.from({ length: 29 }, (_, index) => new Date(today - (index + 1) * dayMs)).flatMap((at) => {
      const day = at.toISOString().slice(0, 10)
      const isQuiet = at.getUTCDay() % 6 === 0
      const level = (40 + 25 * Math.sin(at.getUTCDate() / 3) + 12 * place) * (isQuiet ? 0.3 : 1)
      return Object.entries(shares).map(([endpoint, share]) => ({
        quota_subject: key_id,
        day,
        key_id,
        endpoint,
        units: 1 + Math.round(share * level),
        last_used_at: `${day}T15:00:00Z`,
      }))
    }),
  )
  await withDb((db) => db.insertInto('usage_ledger').values(rows).execute())
}

const pollMs = 100
const waitMsMax = 30_000

async function deliveriesEnded({ withDb }: Product, count: number): Promise<void> {
  const end = Date.now() + waitMsMax
  await withDb(async (db) => {
    for (;;) {
      const ended = await db.selectFrom('deliveries').select('id').where('state', '<>', 'pending').execute()
      if (ended.length >= count) return
      if (Date.now() > end) throw new Error(`${ended.length} of ${count} deliveries ended.`)
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  })
}
