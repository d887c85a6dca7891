import type { Response } from 'express'
import { expect, test } from 'vitest'
import { createLogger } from '../../platform/logger.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { enterGate, Gate } from './shed.ts'

const metrics = createMetrics()
const gate = new Gate('pages', { isReady: () => true, metrics, logger: createLogger('silent') })

async function inside(): Promise<number> {
  const { values } = await metrics.requestsInFlight.get()
  return values.find(({ labels }) => labels.interface === 'pages')?.value ?? 0
}

function answer(state: Partial<Response>): Response {
  return { locals: {}, writableEnded: false, closed: false, ...state } as Response
}

test('a request enters once and leaves once', async () => {
  const res = answer({})
  enterGate(gate, res)
  enterGate(gate, res)
  expect(await inside()).toBe(1)
  res.locals.leaveGate?.()
  expect(await inside()).toBe(0)
  expect(res.locals.leaveGate).toBeUndefined()
})

test.each([{ writableEnded: true }, { closed: true }])(
  'a request that nobody will answer any more takes no place: %o',
  async (state) => {
    expect(() => enterGate(gate, answer(state))).toThrow('broke off')
    expect(await inside()).toBe(0)
  },
)
