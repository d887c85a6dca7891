import { readFileSync } from 'node:fs'
import * as node from '../src/index.node.ts'
import * as web from '../src/index.ts'
import * as sync from '../src/sync.ts'
import type { ChangeAlert, WebhookBody, WebhookHeaders } from '../src/types.ts'

export const secret = 'a-long-random-string-of-your-own'
export const time = Date.parse('2026-01-02T03:04:05.678Z')
export const now = () => time

/** The three ways to the same answer, in one shape. */
export const builds = {
  web,
  node,
  sync: {
    verify: async (...args: Parameters<typeof sync.verifySync>) => Promise.resolve(sync.verifySync(...args)),
    verifyResult: async (...args: Parameters<typeof sync.verifySync>) =>
      Promise.resolve(sync.verifyResultSync(...args)),
    verifySignature: async (...args: Parameters<typeof sync.verifySignatureSync>) =>
      Promise.resolve(sync.verifySignatureSync(...args)),
    sign: async (...args: Parameters<typeof sync.signSync>) => Promise.resolve(sync.signSync(...args)),
  },
}

export type Build = Pick<typeof web, 'verify' | 'verifyResult' | 'verifySignature' | 'sign'>

export const allBuilds = Object.entries(builds) as [string, Build][]

/** The result of a verification, for comparison. Only the hint may differ between builds and is left out. */
export async function outcome(
  build: Build,
  body: WebhookBody,
  headers: WebhookHeaders,
  options: Parameters<Build['verifyResult']>[2],
): Promise<unknown> {
  const result = await build.verifyResult(body, headers, options)
  if (result.ok) return result
  const { name, message, code, status } = result.error
  return { name, message, code, status }
}

/** The code of the error that refuses a verification. */
export async function codeOf(verification: Promise<unknown>): Promise<string> {
  const error: unknown = await verification.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof web.WebhookVerificationError ? error.code : String(error)
}

export interface Vector {
  id: string
  secret: string
  body?: string
  body_base64?: string
  signature: string
  note: string
}

const file = new URL('../../../fixtures/webhook-signatures.json', import.meta.url)
export const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vector[]
export const bytesOf = ({ body, body_base64 }: Vector) =>
  body_base64 === undefined ? Buffer.from(body ?? '') : Buffer.from(body_base64, 'base64')

export const alert: ChangeAlert = {
  event: 'change.alert',
  timestamp: '2026-01-02T03:04:05.678000Z',
  changes: [
    {
      id: 'chg_1',
      vendor: 'acme',
      product: 'acme/model-x',
      category: 'price_cut',
      title: 'acme/model-x: input 25 % cheaper',
      summary: '0.20 → 0.15 € per million 😀',
      severity: 3,
      url: 'https://ratecard.example/changes/chg_1',
    },
  ],
}

/** A signed delivery of any text. */
export function delivery(body: string | Uint8Array = JSON.stringify(alert), key = secret) {
  return { body, headers: { 'x-svc-signature': sync.signSync(body, key) } }
}
