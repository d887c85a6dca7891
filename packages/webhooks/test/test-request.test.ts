import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import * as node from '../src/index.node.ts'
import * as web from '../src/index.ts'
import * as sync from '../src/sync.ts'
import { codeOf, secret } from './builds.ts'

interface Contract {
  webhooks: {
    changeAlert: {
      post: { parameters: { name: string; in: string; required: boolean; schema: { pattern?: string } }[] }
    }
  }
}

describe.each([
  ['web', web.createTestRequest],
  ['node', node.createTestRequest],
  ['sync', sync.createTestRequestSync],
])('a test request of the %s build', (_, create) => {
  test('is accepted by verify as it is', async () => {
    const request = await create({ secret })
    for (const build of [web, node]) {
      const event = await build.verify(request.body, request.headers, { secret })
      expect(event.changes).toHaveLength(1)
    }
  })

  test('is accepted by verify as a Request', async () => {
    const init = await create({ secret, url: 'https://hooks.example/x' })
    const request = new Request(init.url, init)
    expect(request.url).toBe('https://hooks.example/x')
    await expect(web.verify(request, request.headers, { secret })).resolves.toHaveProperty(
      'event',
      'change.alert',
    )
  })

  test('tells the changes that it is given, and fills in the rest', async () => {
    const request = await create({ secret, changes: [{ vendor: 'openai' }, { severity: 5 }] })
    const { changes } = await web.verify(request.body, request.headers, { secret })
    expect(changes.map(({ vendor, severity }) => [vendor, severity])).toEqual([
      ['openai', 3],
      ['acme', 5],
    ])
    expect(new Set(changes.map(({ id }) => id)).size).toBe(2)
  })

  test('can be old, or from a time of your choice', async () => {
    const old = await create({ secret, timestamp: Date.now() - 3_600_000 })
    expect(await codeOf(web.verify(old.body, old.headers, { secret }))).toBe('timestamp_too_old')
    const date = new Date('2026-01-02T03:04:05.678Z')
    const dated = await create({ secret, timestamp: date })
    const event = await web.verify(dated.body, dated.headers, { secret, now: () => date })
    expect(event.timestamp).toBe('2026-01-02T03:04:05.678000Z')
    const broken = await create({ secret, timestamp: 'yesterday' })
    expect(await codeOf(web.verify(broken.body, broken.headers, { secret }))).toBe('invalid_payload')
  })

  test('carries every header that the contract requires', async () => {
    const file = new URL('../../../openapi.yaml', import.meta.url)
    const { parameters } = (parse(readFileSync(file, 'utf8')) as Contract).webhooks.changeAlert.post
    const { headers } = await create({ secret })
    const required = parameters.filter((parameter) => parameter.in === 'header' && parameter.required)
    expect(required.length).toBeGreaterThan(3)
    for (const { name, schema } of required) expect(headers[name]).toMatch(new RegExp(schema.pattern ?? '.'))
  })

  test('needs a secret by the rule', async () => {
    expect(await codeOf((async () => create({ secret: 'short' }))())).toBe('bad_secret')
  })
})
