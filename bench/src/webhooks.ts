import { createHmac, timingSafeEqual } from 'node:crypto'
import { verify as verifyOctokit } from '@octokit/webhooks-methods'
import { createTestRequest, verify, verifySignature, type AlertedChange } from '@ratecard/webhooks'
import { verifySignatureSync, verifySync } from '@ratecard/webhooks/sync'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import { openComparison, timeRatio } from './packages/timing.ts'

// How fast @ratecard/webhooks verifies, beside the least that it takes and beside what others have for their webhooks: one
// body, signed in each scheme with the same secret. The body is the bytes as they arrive, headers are those of a request,
// and what can be made once (keys, clients) is made before.

const about = 'Measures the time of @ratecard/webhooks: a minute.'
const comparison = openComparison('webhooks', about, { slicesPerRound: 51, sliceMs: 3, warmUpMs: 600 })
const sizes = { '1 KB': 1_024, '20 KB': 20_480, '1 MB': 1_048_576 }
/** The noise of a run is less than this. */
const clearly = 1.03
const secret = 'k3y-0f-32-bytes-made-for-a-bench'

for (const [label, size] of Object.entries(sizes)) {
  const request = await createTestRequest({ secret, changes: changesOf(size) })
  const body = Buffer.from(request.body)
  if (body.length !== size) throw new Error(`The body has ${body.length} bytes, not ${size}.`)
  const headers = {
    ...{ host: 'hooks.acme.example', connection: 'keep-alive', 'content-length': String(size) },
    ...request.headers,
  }
  const options = { secret }
  const { checkBare, octokit, standard, svix, stripe } = createPeers(request.body, headers)
  // How near to the least that it takes: always for the signature, and where parsing is the larger part for the event.
  const signature: Group = {
    aim: { least: 0.95 },
    bare: { 'HMAC + timingSafeEqual': checkBare },
    ours: {
      verifySignature: (bytes) => verifySignature(bytes, headers, options),
      verifySignatureSync: (bytes) => verifySignatureSync(bytes, headers, options),
    },
    peers: {
      '@octokit/webhooks-methods verify': octokit,
      'stripe signature.verifyHeader': stripe.verifyHeader,
      'svix verify': svix,
      'standardwebhooks verify, jsonParse: false': (bytes) => standard(bytes, false),
    },
  }
  const event: Group = {
    aim: size >= sizes['20 KB'] ? { least: 0.9 } : undefined,
    bare: {
      'HMAC + timingSafeEqual + JSON.parse': (bytes) => {
        checkBare(bytes)
        return JSON.parse(bytes.toString()) as unknown
      },
    },
    ours: {
      verify: (bytes) => verify(bytes, headers, options),
      verifySync: (bytes) => verifySync(bytes, headers, options),
    },
    peers: {
      'stripe constructEvent': stripe.constructEvent,
      'standardwebhooks verify': (bytes) => standard(bytes, true),
    },
  }
  await compare(label, 'signature', signature, body)
  await compare(label, 'event', event, body)
}
await comparison.report(['@octokit/webhooks-methods', 'standardwebhooks', 'stripe', 'svix'])

type Receivers = Record<string, (bytes: Buffer) => unknown>

interface Group {
  /** Of ours in shares of the bare one's speed. */
  aim: { least: number } | undefined
  bare: Receivers
  ours: Receivers
  peers: Receivers
}

async function compare(label: string, title: string, { aim, bare, ours, peers }: Group, body: Buffer) {
  const receivers = Object.entries({ ...bare, ...ours, ...peers })
  for (const [name, receive] of receivers) await checkReceiver(name, receive, body)
  const subjects = Object.fromEntries(receivers.map(([name, receive]) => [name, () => receive(body)]))
  await comparison.add(`${label}, ${title}`, subjects, (costs) => {
    const [least = ''] = Object.keys(bare)
    const [fastest = ''] = Object.keys(peers).toSorted(
      (one, other) => timeRatio('', costs, [one, other]).value - 1,
    )
    return Object.keys(ours).flatMap((name) => {
      const speed = `${name}, ${label}: speed in that of`
      return [
        timeRatio(`${speed} ${least}`, costs, [least, name], aim),
        timeRatio(`${speed} ${fastest}`, costs, [fastest, name], { least: clearly }),
      ]
    })
  })
}

function createPeers(text: string, headers: Record<string, string>) {
  const hex = createHmac('sha256', secret).update(text).digest('hex')
  const encodedSecret = `whsec_${Buffer.from(secret).toString('base64')}`
  const sentAt = new Date()
  const standard = new StandardWebhook(encodedSecret)
  const signature = standard.sign('msg_1', sentAt, text)
  const signed = (prefix: string): Record<string, string> => ({
    ...headers,
    [`${prefix}-id`]: 'msg_1',
    [`${prefix}-timestamp`]: String(Math.floor(sentAt.getTime() / 1_000)),
    [`${prefix}-signature`]: signature,
  })
  const [ofStandard, ofSvix] = [signed('webhook'), signed('svix')]
  const svix = new SvixWebhook(encodedSecret)

  const { webhooks: stripe } = new Stripe('sk_test_of_nobody')
  const { signature: stripeSignature } = stripe
  if (!stripeSignature) throw new Error('stripe has no signature helper.')
  const ofStripe = stripe.generateTestHeaderString({ payload: text, secret })

  return {
    checkBare: (bytes: Buffer) => {
      const sum = createHmac('sha256', secret).update(bytes).digest()
      if (!timingSafeEqual(sum, Buffer.from(hex, 'hex'))) throw new Error('Refused.')
    },
    octokit: async (bytes: Buffer) => {
      // It takes text alone, which a receiver has to make of the bytes.
      if (!(await verifyOctokit(secret, bytes.toString(), `sha256=${hex}`))) throw new Error('Refused.')
    },
    standard: (bytes: Buffer, jsonParse: boolean) => standard.verify(bytes, ofStandard, { jsonParse }),
    svix: (bytes: Buffer) => svix.verify(bytes, ofSvix),
    stripe: {
      verifyHeader: (bytes: Buffer) => stripeSignature.verifyHeader(bytes, ofStripe, secret),
      constructEvent: (bytes: Buffer) => stripe.constructEvent(bytes, ofStripe, secret),
    },
  }
}

/** Nothing is fast by being wrong. */
async function checkReceiver(name: string, receive: Receivers[string], body: Buffer): Promise<void> {
  await receive(body)
  const forged = Buffer.from(body)
  forged[body.length - 4] = 'x'.charCodeAt(0)
  try {
    await receive(forged)
  } catch {
    return
  }
  throw new Error(`${name} accepts a body that was changed.`)
}

/** Changes that make a body of exactly so many bytes: as many as usual ones fill, at most 100, and then longer ones. */
function changesOf(size: number): AlertedChange[] {
  const sentence =
    'The price of input tokens falls from 0.20 to 0.15 USD per million; output tokens cost the same. '
  // 4,000 characters are the most that a summary holds, so a body of 1 MB takes characters of three bytes.
  const longSentence =
    '入力トークンの価格は百万あたり〇・二〇ドルから〇・一五ドルに下がり、出力は変わりません。'
  const changesMax = 100
  const usual = Math.floor((size - bytesOf([])) / (bytesOf([changeOf(0, sentence)]) - bytesOf([])))
  const count = Math.max(1, Math.min(changesMax, usual))
  const text = usual > changesMax ? longSentence : sentence
  const changes = Array.from({ length: count }, (_, index) => changeOf(index, ''))
  const left = () => size - bytesOf(changes)
  const characters = Math.floor(left() / count / Buffer.byteLength(text.charAt(0)))
  const summary = text.repeat(Math.ceil(characters / text.length)).slice(0, characters)
  for (const change of changes) change.summary = summary
  // Points fill what is less than a character of each.
  changes[0]!.summary += '.'.repeat(left())
  return changes
}

function changeOf(index: number, summary: string): AlertedChange {
  const id = `chg_${String(index).padStart(20, '0')}`
  return {
    ...{ id, vendor: 'openai', product: 'openai/gpt-4o-mini', category: 'price_cut' },
    ...{ title: 'openai/gpt-4o-mini: input 25 % cheaper', summary, severity: 3 },
    url: `https://api.ratecard.example/changes/${id}`,
  }
}

/** Of the body, whose timestamp has always the same length. */
function bytesOf(changes: readonly AlertedChange[]): number {
  const timestamp = '2026-11-18T14:30:01.204000Z'
  return Buffer.byteLength(JSON.stringify({ event: 'change.alert', timestamp, changes }))
}
