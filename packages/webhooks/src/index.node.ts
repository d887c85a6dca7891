import { readData } from './body.ts'
import { driveSync } from './drive.node.ts'
import { refuse } from './error.ts'
import type * as web from './index.ts'
import { checkEvent, checkSignature, replayKey, type Passed } from './pipeline.ts'
import { refused } from './result.ts'
import { createTestRequestSync, signSync } from './sync.ts'

// The same functions as in index.ts, where they are described, with the HMAC of node:crypto.

export * from './common.ts'
export type { WebhookResult } from './result.ts'
export type { TestRequest, TestRequestOptions } from './test-request.ts'

// As in drive.web.ts. But every await costs a microtask even when nothing is pending, and so does a nested promise.
const open = async <Result>(
  body: web.WebhookBody,
  headers: web.WebhookHeaders,
  options: web.VerifyOptions = {},
  pick: (passed: Passed) => Result,
): Promise<Result> => {
  const data = readData(body, options)
  const ready = data instanceof Promise ? await data : data
  const passed = driveSync(checkEvent(ready, headers, options))
  if (options.seen && (await options.seen(replayKey(passed.event), passed.event))) refuse('replayed')
  return pick(passed)
}

export const verify: typeof web.verify = (body, headers, options) =>
  open(body, headers, options, ({ event }) => event)

export const verifyResult: typeof web.verifyResult = (body, headers, options) =>
  open(body, headers, options, (passed) => ({ ok: true as const, ...passed })).catch(refused)

export const verifySignature: typeof web.verifySignature = async (body, headers, options = {}) => {
  const data = readData(body, options)
  const ready = data instanceof Promise ? await data : data
  return { secretIndex: driveSync(checkSignature(ready, headers, options)) }
}

// eslint-disable-next-line @typescript-eslint/require-await -- a refusal must be a rejection, as in index.ts
export const sign: typeof web.sign = async (body, secret) => signSync(body, secret)

// eslint-disable-next-line @typescript-eslint/require-await -- the same
export const createTestRequest: typeof web.createTestRequest = async (options) =>
  createTestRequestSync(options)
