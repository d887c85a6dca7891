import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { describe, expect, test } from 'vitest'
import * as node from '../src/index.node.ts'
import * as web from '../src/index.ts'
import * as sync from '../src/sync.ts'
import { secret } from './builds.ts'

// A delivery with the headers of Standard Webhooks is accepted by the libraries of that standard, and by ours.

const keyOf = (text: string) => Buffer.from(text).toString('base64')

describe.each([
  ['web', web.createTestRequest],
  ['node', node.createTestRequest],
  ['sync', sync.createTestRequestSync],
])('a test request with standardWebhooks of the %s build', (_, create) => {
  test.each([secret, '😀 ünïcode sécret of ours', 'whsec_looks like one of theirs'])(
    'is accepted by each library under %j',
    async (key) => {
      const { body, headers } = await create({ secret: key, standardWebhooks: true })
      expect(headers['webhook-id']).toBe(headers['x-svc-delivery'])
      for (const prefix of ['', 'whsec_']) {
        for (const library of [
          new StandardWebhook(prefix + keyOf(key)),
          new SvixWebhook(prefix + keyOf(key)),
        ]) {
          for (const payload of [body, Buffer.from(body)])
            expect(() => library.verify(payload, headers)).not.toThrow()
          expect(() => library.verify(`${body} `, headers)).toThrow()
          expect(() => library.verify(body, { ...headers, 'webhook-id': 'other' })).toThrow()
        }
      }
      await expect(web.verify(body, headers, { secret: key })).resolves.toHaveProperty('event')
    },
  )

  test('is as old as its timestamp says', async () => {
    const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000
    for (const timestamp of [
      minutesAgo(10),
      new Date(minutesAgo(10)),
      new Date(minutesAgo(10)).toISOString(),
    ]) {
      const { body, headers } = await create({ secret, standardWebhooks: true, timestamp })
      expect(headers['webhook-timestamp']).toMatch(/^\d{10}$/)
      expect(() => new StandardWebhook(keyOf(secret)).verify(body, headers)).toThrow(/too old/)
    }
  })

  test('has the three headers only when asked', async () => {
    const { headers } = await create({ secret })
    expect(Object.keys(headers).filter((name) => name.startsWith('webhook-'))).toEqual([])
  })
})
