import { createHmac, timingSafeEqual } from 'node:crypto'
import { verify as verifyOctokit } from '@octokit/webhooks-methods'
import { createTestRequest, verify, verifySignature, type AlertedChange } from '@ratecard/webhooks'
import { verifySignatureSync, verifySync } from '@ratecard/webhooks/sync'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import type { Subject } from './timing.ts'

// One body, signed in each scheme with the same secret, and what a receiver does with it. The body is the bytes as they arrive,
// headers are those of a request, and what can be made once (keys, clients) is made before.

/** Ways to the same result. */
export interface Group {
  name: string
  subjects: Subject[]
  bare: string
  ours: string[]
  peers: string[]
}

type Receive = (bytes: Buffer) => unknown

const secret = 'k3y-0f-32-bytes-made-for-a-bench'

/** The signature alone, and the signature with the event as the result. */
export async function createGroups(size: number): Promise<Group[]> {
  const request = await createTestRequest({ secret, changes: changesOf(size) })
  const body = Buffer.from(request.body)
  if (body.length !== size) throw new Error(`The body has ${body.length} bytes, not ${size}.`)
  const headers = {
    ...{ host: 'hooks.acme.example', connection: 'keep-alive', 'content-length': String(size) },
    ...request.headers,
  }
  const { checkBare, octokit, standard, svix, stripe } = createPeers(request.body, headers)
  const options = { secret }
  const waiting = ['verifySignature', 'verify', '@octokit/webhooks-methods verify']
  const group = async (name: string, own: Record<'bare' | 'ours' | 'peers', Record<string, Receive>>) => {
    const all = Object.entries({ ...own.bare, ...own.ours, ...own.peers })
    for (const [subject, receive] of all) await checkReceiver(subject, receive, body)
    const subjects = all.map(([subject, receive]) => {
      return { name: subject, work: () => receive(body), waits: waiting.includes(subject) }
    })
    const { bare, ours, peers } = own
    return { name, subjects, bare: Object.keys(bare)[0]!, ours: Object.keys(ours), peers: Object.keys(peers) }
  }
  return Promise.all([
    group('signature', {
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
    }),
    group('event', {
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
    }),
  ])
}

function createPeers(text: string, headers: Record<string, string>) {
  const hex = createHmac('sha256', secret).update(text).digest('hex')
  const encodedSecret = `whsec_${Buffer.from(secret).toString('base64')}`
  const sentAt = new Date()
  const timestamp = String(Math.floor(sentAt.getTime() / 1_000))

  const standard = new StandardWebhook(encodedSecret)
  const signature = standard.sign('msg_1', sentAt, text)
  const signed = (prefix: string) => {
    const own = { id: 'msg_1', timestamp, signature }
    const names = Object.entries(own).map(([name, value]) => [`${prefix}-${name}`, value])
    return { ...headers, ...(Object.fromEntries(names) as Record<string, string>) }
  }
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
async function checkReceiver(name: string, receive: Receive, body: Buffer): Promise<void> {
  await receive(body)
  const forged = Buffer.from(body)
  forged[body.length - 4] = 'x'.charCodeAt(0)
  const refused = await Promise.resolve(forged)
    .then(receive)
    .then(
      () => false,
      () => true,
    )
  if (!refused) throw new Error(`${name} accepts a body that was changed.`)
}

const changesMax = 100
const sentence =
  'The price of input tokens falls from 0.20 to 0.15 USD per million; output tokens cost the same. '
// 4,000 characters are the most that a summary holds, so a body of this size takes characters of three bytes.
const longSentence =
  '入力トークンの価格は百万あたり〇・二〇ドルから〇・一五ドルに下がり、出力は変わりません。'

/** Changes that make a body of exactly so many bytes: as many as usual ones fill, at most 100, and then longer ones. */
function changesOf(size: number): AlertedChange[] {
  const usual = Math.floor((size - bytesOf([])) / (bytesOf([changeOf(0, sentence)]) - bytesOf([])))
  const count = Math.max(1, Math.min(changesMax, usual))
  const text = usual > changesMax ? longSentence : sentence
  const empty = Array.from({ length: count }, (_, index) => changeOf(index, ''))
  const room = size - bytesOf(empty)
  const upTo = (index: number) => Math.floor((room * index) / count)
  return empty.map((change, index) => {
    // The text goes on, and points fill what is less than a character of it.
    const bytes = upTo(index + 1) - upTo(index)
    const bytesEach = Buffer.byteLength(text.charAt(0))
    const characters = Math.floor(bytes / bytesEach)
    const long = text.repeat(Math.ceil(characters / text.length)).slice(0, characters)
    return { ...change, summary: long + '.'.repeat(bytes - bytesEach * characters) }
  })
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
