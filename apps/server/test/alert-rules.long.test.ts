import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createMetrics } from '../src/platform/metrics.ts'
import { projectRoot } from '../src/platform/paths.ts'

// deploy/prometheus and deploy/grafana, by the tools that read them. That what they name exists: figures.test.ts.

const file = (path: string) => readFile(join(projectRoot, path), 'utf8')
const promtool = await promisify(execFile)('promtool', ['--version']).catch(() => null)
const reason = promtool === null ? ' (skipped: promtool is not installed)' : ''

describe.skipIf(promtool === null)(`promtool${reason}`, () => {
  const run = (...args: string[]) =>
    promisify(execFile)('promtool', args, { cwd: join(projectRoot, 'deploy/prometheus') })

  test('reads the rules, and each comes when it should', async () => {
    expect((await run('check', 'rules', 'alerts.yaml')).stdout).toContain('SUCCESS')
    expect((await run('test', 'rules', 'alerts.test.yaml')).stdout).toContain('SUCCESS')
  })

  test('has nothing against the names and the form of our figures', async () => {
    const checking = run('check', 'metrics')
    checking.child.stdin?.end(await createMetrics().render())
    const { stdout, stderr } = await checking
    expect(stdout + stderr).toBe('')
  })
})

test('each rule is tried, and the dashboard asks one source of its own choice', async () => {
  const rules = [...(await file('deploy/prometheus/alerts.yaml')).matchAll(/- alert: (\w+)/g)].map(
    ([, name]) => name,
  )
  const tests = await file('deploy/prometheus/alerts.test.yaml')
  expect(rules.length).toBeGreaterThan(20)
  expect(rules.filter((name) => !tests.includes(`alertname="${name}"`))).toEqual([])
  const dashboard = JSON.parse(await file('deploy/grafana/ratecard.json')) as {
    panels: { id: number; targets?: { expr: string; datasource: { uid: string } }[] }[]
  }
  const targets = dashboard.panels.flatMap((panel) => panel.targets ?? [])
  expect(targets.length).toBeGreaterThan(40)
  expect(new Set(targets.map(({ datasource }) => datasource.uid))).toEqual(new Set(['${datasource}']))
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
})
