// Packages as npm delivers them, and the least that a program does with each: ours, and what others have for the same.

export interface Peer {
  /** Its name on npm. */
  name: string
  ours?: true
  client?: Program
  webhooks?: Program
}

export interface Program {
  /** Imports the package and makes what is called: the whole program of the bundle. */
  create: string
  fail: Failure | { never: string }
}

/** A mistake of the customer: a wrong key, or a body that somebody else has signed. */
interface Failure {
  call: string
  /** What the error says when it is this one. */
  says: RegExp
  /** The body of 401, in the form of this API. */
  refusal?: unknown
}

/** Which of its programs a peer is measured with. */
export type Use = 'client' | 'webhooks'

/** A program whose client takes its options as one object, and what it calls. */
function client(
  imported: string,
  className: string,
  baseUrlName: string,
  call: string,
  refusal: unknown,
): Program {
  return {
    create: `import ${imported}
export const client = new ${className}({ apiKey: process.env.API_KEY, ${baseUrlName}: process.env.BASE_URL })`,
    fail: refused(call, refusal),
  }
}

function refused(call: string, refusal: unknown): Failure {
  return { call: `await client.${call}`, says: /\b401\b/, refusal }
}

const secret = 'whsec_a2V5LW9mLTMyLWJ5dGVzLW1hZGUtZm9yLWEtYmVuY2g='
const zeros = '0'.repeat(64)
const standard = (from: string, prefix: string): Program => ({
  create: `import { Webhook } from '${from}'\nexport const webhook = new Webhook('${secret}')`,
  fail: {
    call: `webhook.verify('{}', { '${prefix}-id': 'msg_1', '${prefix}-timestamp': String(Math.floor(Date.now() / 1000)), '${prefix}-signature': 'v1,${'A'.repeat(43)}=' })`,
    says: /No matching signature/,
  },
})

const refusals = {
  ratecard: { error: 'unauthorized', message: 'Send a key.', status: 401 },
  openai: {
    error: { type: 'invalid_request_error', code: 'invalid_api_key', message: 'Incorrect API key.' },
  },
  anthropic: { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } },
  stripe: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided.' } },
  github: { message: 'Bad credentials', status: '401' },
  svix: { code: 'authentication_failed', detail: 'Invalid token' },
}

export const peers: readonly Peer[] = [
  {
    ...{ name: '@ratecard/sdk', ours: true },
    client: client(
      `{ Ratecard } from '@ratecard/sdk'`,
      'Ratecard',
      'baseUrl',
      'usage.get()',
      refusals.ratecard,
    ),
  },
  {
    ...{ name: '@ratecard/webhooks', ours: true },
    webhooks: {
      create: `import { verify } from '@ratecard/webhooks'\nexport { verify }`,
      fail: {
        call: `await verify('{}', { 'x-svc-signature': 'sha256=${zeros}' }, { secret: '${secret}' })`,
        says: /signature_mismatch/,
      },
    },
  },
  {
    name: 'openai',
    client: client(`OpenAI from 'openai'`, 'OpenAI', 'baseURL', 'models.list()', refusals.openai),
  },
  {
    name: '@anthropic-ai/sdk',
    client: client(
      `Anthropic from '@anthropic-ai/sdk'`,
      ...(['Anthropic', 'baseURL', 'models.list()', refusals.anthropic] as const),
    ),
  },
  {
    name: 'stripe',
    client: {
      create: `import Stripe from 'stripe'
const { hostname: host, port } = new URL(process.env.BASE_URL)
export const client = new Stripe(process.env.API_KEY, { host, port, protocol: 'http' })`,
      fail: refused('customers.list()', refusals.stripe),
    },
    webhooks: {
      create: `import Stripe from 'stripe'\nexport const { webhooks } = new Stripe('sk_test_of_nobody')`,
      fail: {
        call: `webhooks.constructEvent('{}', 't=' + Math.floor(Date.now() / 1000) + ',v1=${zeros}', '${secret}')`,
        says: /No signatures found matching/,
      },
    },
  },
  {
    name: 'octokit',
    client: {
      create: `import { Octokit } from 'octokit'
export const client = new Octokit({ auth: process.env.API_KEY, baseUrl: process.env.BASE_URL })`,
      fail: refused('rest.users.getAuthenticated()', refusals.github),
    },
  },
  {
    name: 'resend',
    client: {
      create: `import { Resend } from 'resend'
export const client = new Resend(process.env.API_KEY, { baseUrl: process.env.BASE_URL })`,
      fail: { never: 'answers { error }' },
    },
  },
  {
    name: 'svix',
    client: {
      create: `import { Svix } from 'svix'
export const client = new Svix(process.env.API_KEY, { serverUrl: process.env.BASE_URL })`,
      fail: refused('application.list()', refusals.svix),
    },
    webhooks: standard('svix', 'svix'),
  },
  { name: 'standardwebhooks', webhooks: standard('standardwebhooks', 'webhook') },
  {
    name: '@octokit/webhooks-methods',
    webhooks: {
      create: `export { verify } from '@octokit/webhooks-methods'`,
      fail: { never: 'answers false' },
    },
  },
]
