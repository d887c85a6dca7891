import { EventEmitter } from 'node:events'
import type { Response } from 'express'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLogger } from '../platform/logger.ts'
import { createMetrics } from '../platform/metrics.ts'
import { enterGate, Gate } from './shed.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function inside(metrics: ReturnType<typeof createMetrics>): Promise<number> {
  const { values } = await metrics.requestsInFlight.get()
  return values.find(({ labels }) => labels.interface === 'pages')?.value ?? 0
}

test.each([false, true])(
  'whose client has gone leaves, though nobody answers it (gone before: %s)',
  async (isGone) => {
    const metrics = createMetrics()
    const gate = new Gate('pages', { isReady: () => true, metrics, logger: createLogger('silent') })
    const res = Object.assign(new EventEmitter(), { locals: {}, closed: isGone }) as unknown as Response
    enterGate(gate, res)
    expect(await inside(metrics)).toBe(1)
    res.emit('close')
    await vi.advanceTimersByTimeAsync(9_000)
    // It may still be worked on.
    expect(await inside(metrics)).toBe(1)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await inside(metrics)).toBe(0)
    // Once.
    res.locals.leaveGate?.()
    expect(await inside(metrics)).toBe(0)
  },
)
