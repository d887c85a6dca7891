import { describe, expect, test } from 'vitest'
import { Ratecard } from '../../src/index.ts'
import { createFakeRatecard } from '../../src/testing.ts'
import { verify } from '../../../webhooks/src/index.ts'

const secret = 'a-long-random-string-of-your-own'
const url = 'https://hooks.acme.example/ratecard?tenant=1'

function start() {
  const fake = createFakeRatecard()
  const client = new Ratecard({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })
  return { fake, client }
}

describe('deliverAlerts', () => {
  test('gives an endpoint what @ratecard/webhooks verifies, and tells the outcome', async () => {
    const { fake, client } = start()
    const { id } = await client.webhooks.create({ url, secret })
    const alerts: unknown[] = []
    const endpoint = async (request: Request) => {
      alerts.push([
        request.url,
        request.method,
        await verify(await request.text(), request.headers, { secret }),
      ])
      return new Response(null, { status: 204 })
    }
    const [change] = fake.putChanges({ id: 'chg_1', product: 'acme/a', title: 'Ä "cut"' })
    expect(await fake.deliverAlerts(endpoint, change!)).toEqual([{ webhookId: id, status: 204 }])
    const expected = {
      event: 'change.alert',
      changes: [{ id: 'chg_1', product: 'acme/a', title: 'Ä "cut"', url: `${fake.baseUrl}/changes/chg_1` }],
    }
    expect(alerts).toMatchObject([[url, 'POST', expected]])
    expect(await client.webhooks.list()).toMatchObject([{ last_status: 204, last_error: null, active: true }])
  })

  test('goes to every active webhook of those who pay, with the secret of each', async () => {
    const { fake, client } = start()
    const other = fake.createAccount()
    const others = client.withOptions({ apiKey: other.apiKey })
    await client.webhooks.create({ url, secret })
    await client.webhooks.create({ url: `${url}2`, secret: `${secret}2` })
    await others.webhooks.create({ url: `${url}3`, secret })
    const deliver = async (status: number) => {
      const seen: string[] = []
      const endpoint = (request: Request) => {
        seen.push(request.url)
        return new Response(null, { status })
      }
      await fake.deliverAlerts(endpoint, ...fake.putChanges({}))
      return seen
    }
    other.setPlan('free')
    expect(await deliver(500)).toEqual([url, `${url}2`])
    other.setPlan('scale')
    expect(await deliver(410)).toEqual([url, `${url}2`, `${url}3`])
    expect(await deliver(200)).toEqual([])
    expect(await client.webhooks.list()).toMatchObject([
      { active: false, last_status: 410, last_error: 'http_410: The endpoint answered 410.' },
      { active: false },
    ])
  })

  test('tells nobody of incidents, and cuts what is too much for one delivery', async () => {
    const { fake, client } = start()
    await client.webhooks.create({ url, secret })
    const counts: number[] = []
    const endpoint = async (request: Request) => {
      const text = await request.text()
      expect(text.length).toBeLessThanOrEqual(256 * 1024)
      counts.push((JSON.parse(text) as { changes: unknown[] }).changes.length)
      return new Response()
    }
    const many = Array.from({ length: 101 }, () => ({}))
    const long = Array.from({ length: 80 }, () => ({ summary: 'a'.repeat(4_000) }))
    await fake.deliverAlerts(endpoint, ...fake.putChanges({ category: 'incident' }))
    await fake.deliverAlerts(endpoint, ...fake.putChanges(...many))
    await fake.deliverAlerts(endpoint, ...fake.putChanges(...long))
    expect(counts.slice(0, 2)).toEqual([100, 1])
    expect(counts.slice(2).reduce((sum, count) => sum + count)).toBe(80)
    expect(counts.length).toBe(4)
  })

  test('throws what the endpoint throws, and refuses what is none', async () => {
    const { fake, client } = start()
    await client.webhooks.create({ url, secret })
    const changes = fake.putChanges({})
    await expect(fake.deliverAlerts(() => Promise.reject(new Error('crashed')), ...changes)).rejects.toThrow(
      'crashed',
    )
    await expect(fake.deliverAlerts(changes as never)).rejects.toThrow(/fake\.deliverAlerts\(handler/)
    await expect(fake.deliverAlerts(() => new Response(), changes as never)).rejects.toThrow(
      /\.\.\.fake\.putChanges/,
    )
  })

  test('keeps the secret to itself', async () => {
    const { fake, client } = start()
    await client.webhooks.create({ url, secret })
    expect(JSON.stringify([fake, fake.requests, await client.webhooks.list()])).not.toContain(secret)
  })
})
