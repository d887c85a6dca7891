import { describe, expect, onTestFinished, test } from 'vitest'
import { openFailoverScene, type FailoverScene } from '../test/support/failover-scene.ts'
import { startPatroni, whyNoPatroni, type Patroni } from '../test/support/patroni.ts'
import { patience } from '../test/support/load.ts'
import type { ServerProcess } from '../test/support/process.ts'
import { until } from '../test/support/until.ts'

// Patroni moves the primary under load. One server reaches it by HAProxy, the other one by several hosts in its URL.
// `failover-rounds.ts` does it again and again, and in more ways.

const reason = whyNoPatroni === null ? '' : ` (skipped: ${whyNoPatroni})`
/** From the moment that a node is primary to the last 503. */
const graceMs = 2_000

const readiness = async ({ adminUrl }: ServerProcess) => {
  const answer = await fetch(`${adminUrl}/ready`)
  return (await answer.json()) as { status: string; reason?: string }
}

describe.skipIf(reason !== '')(`A Patroni cluster${reason}`, () => {
  test('whose primary is killed, and then hands over, costs 503s for the election and no unit or alert', async () => {
    const cluster = await startPatroni()
    onTestFinished(() => cluster.end())
    const scene = await openFailoverScene(await cluster.createDatabase(), onTestFinished)
    await scene.serveMore(100)

    const killed = await cluster.leader()
    await expectOutage(scene, cluster, async () => {
      await cluster.kill(killed)
      for (const server of scene.servers) {
        const seen = await until('a word of it', async () => {
          const found = await readiness(server)
          return 'reason' in found ? found : null
        })
        expect(seen).toMatchObject({ reason: expect.stringContaining('the database') as string })
      }
    })
    await cluster.start(killed)
    await cluster.whole()
    await expectOutage(scene, cluster, () => cluster.switchover())

    for (const server of scene.servers)
      await expect.poll(() => readiness(server), patience).toMatchObject({ status: 'ok' })
    for (const { child } of [...scene.servers, scene.worker]) expect(child.exitCode).toBeNull()
    const { answered, charged, published, ...wrong } = await scene.settle()
    expect(wrong).toEqual({
      overServed: 0,
      unserved: 0,
      doubled: 0,
      lostAlerts: 0,
      ledgerDifferences: 0,
      noticedLosses: 0,
    })
    expect(charged).toBe(answered)
    expect(published).toBeGreaterThan(0)
  })
})

async function expectOutage(
  scene: FailoverScene,
  cluster: Patroni,
  move: () => Promise<void>,
): Promise<void> {
  const fromMs = Date.now()
  await move()
  const promotedMs = await cluster.promotedMs(fromMs)
  await scene.serveMore(100)
  const { lastUnavailableMs, others, ...seen } = scene.seen(fromMs, Date.now())
  const laterMs = lastUnavailableMs === null ? null : lastUnavailableMs - promotedMs
  console.info(`primary after ${promotedMs - fromMs} ms, last 503 ${laterMs} ms later`, seen)
  expect(others).toEqual({})
  expect(laterMs ?? 0).toBeLessThan(graceMs)
}
