import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openHidingProxy } from '../../test/support/hiding-proxy.ts'
import { useDatabase } from '../../test/support/postgres.ts'
import { connect } from '../database/connect.ts'
import { createLogger } from '../platform/logger.ts'
import { openQueue } from './queue.ts'
import { installQueue } from './queue-schema.ts'

const database = useDatabase()

// pg-boss passes settings on to its pool that it does not know. That is not written anywhere.
test('its connections are ours, with the settings of the queue; where sessions are shared it does not listen', async () => {
  const db = connect({ connectionString: database.url })
  onTestFinished(() => db.destroy())
  await installQueue(db)
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => sent.mockRestore())
  const texts = () => sent.mock.calls.map(([text]) => (typeof text === 'string' ? text : ''))
  for (const [url, listens] of [
    [database.url, true],
    [await openHidingProxy(database.url), false],
  ] as const) {
    sent.mockClear()
    const logger = createLogger('silent')
    const queue = await openQueue({ connectionString: url, jobTimeoutSeconds: 10, logger, supervise: false })
    onTestFinished(() => queue.stop())
    expect(texts().some((text) => text.includes(`('enable_sort', 'off')`))).toBe(true)
    const listener = await queue.onJobs(() => undefined)
    onTestFinished(() => listener.close())
    expect(texts().some((text) => text.startsWith('LISTEN'))).toBe(listens)
    await queue.enqueue(db, 'deliver', [{ data: { deliveryId: 'dlv_none', attempt: 1 }, group: 'wh_none' }])
    const jobs = await queue.fetch('deliver', { jobsMax: 5, perGroupMax: 1, ignoreGroups: [] })
    expect(jobs.map(({ data }) => data)).toEqual([{ deliveryId: 'dlv_none', attempt: 1 }])
    await queue.complete(db, 'deliver', jobs)
  }
})
