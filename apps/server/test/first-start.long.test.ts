import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { start } from './support/start.ts'

test('the printed curl line works as it stands', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ratecard-start-'))
  await chmod(folder, 0o755)
  const { stdout, stop } = await start([], join(folder, 'data'))
  const [, authorization = '', url = ''] = /curl -H "Authorization: (.*?)" "(.*?)"/.exec(stdout) ?? []
  const response = await fetch(url, { headers: { authorization } })
  expect(response.status).toBe(200)
  expect(((await response.json()) as { data: unknown[] }).data).toHaveLength(3)
  expect(await stop()).toBe(0)
  await rm(folder, { recursive: true })
})
