import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { projectRoot } from '../src/platform/paths.ts'
import { start } from './support/start.ts'

test('the printed curl line works as it stands', async () => {
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

test('"pnpm start" builds the dashboard first, and shows nothing of the tools that do', async () => {
  const { scripts } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8')) as {
    scripts: { start: string }
  }
  const [first = '', second] = scripts.start.split(' && ')
  expect(second).toBe('node apps/server/bin/ratecard.js start')
  // Of somebody who starts it for the first time: tools greet once.
  const home = await mkdtemp(join(tmpdir(), 'ratecard-home-'))
  const { CI: _ci, TURBO_TELEMETRY_DISABLED: _off, DO_NOT_TRACK: _no, ...env } = process.env
  const { stdout, stderr } = await promisify(execFile)('npx', ['-y', 'pnpm@12', 'exec', 'sh', '-c', first], {
    cwd: projectRoot,
    env: { ...env, XDG_CONFIG_HOME: home },
  })
  expect(stdout).toBe('')
  expect(stderr).toMatch(/^(Building the dashboard …\n)?$/)
  await rm(home, { recursive: true })
})
