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

/** A program that makes a client, and what it calls with a wrong key. */
const client = (imported: string, created: string, call: string, refusal: unknown): Program => ({
  create: `import ${imported}\nexport const client = new ${created}`,
  fail: { call: `await client.${call}`, says: /\b401\b/, refusal },
})
const withKey = (baseUrlName: string) =>
  `({ apiKey: process.env.API_KEY, ${baseUrlName}: process.env.BASE_URL })`

const secret = 'whsec_a2V5LW9mLTMyLWJ5dGVzLW1hZGUtZm9yLWEtYmVuY2g='
const zeros = '0'.repeat(64)
const standard = (from: string, prefix: string): Program => ({
  create: `import { Webhook } from '${from}'\nexport const webhook = new Webhook('${secret}')`,
  fail: {
    call: `webhook.verify('{}', { '${prefix}-id': 'msg_1', '${prefix}-timestamp': String(Math.floor(Date.now() / 1000)), '${prefix}-signature': 'v1,${'A'.repeat(43)}=' })`,
    says: /No matching signature/,
  },
})

export const peers: readonly Peer[] = [
  {
    ...{ name: '@ratecard/sdk', ours: true },
    client: client(`{ Ratecard } from '@ratecard/sdk'`, `Ratecard${withKey('baseUrl')}`, 'usage.get()', {
      ...{ error: 'unauthorized', message: 'Send a key.', status: 401 },
    }),
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
    client: client(`OpenAI from 'openai'`, `OpenAI${withKey('baseURL')}`, 'models.list()', {
      error: { type: 'invalid_request_error', code: 'invalid_api_key', message: 'Incorrect API key.' },
    }),
  },
  {
    name: '@anthropic-ai/sdk',
    client: client(`Anthropic from '@anthropic-ai/sdk'`, `Anthropic${withKey('baseURL')}`, 'models.list()', {
      ...{ type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } },
    }),
  },
  {
    name: 'stripe',
    client: client(
      `Stripe from 'stripe'\nconst { hostname: host, port } = new URL(process.env.BASE_URL)`,
      `Stripe(process.env.API_KEY, { host, port, protocol: 'http' })`,
      'customers.list()',
      { error: { type: 'invalid_request_error', message: 'Invalid API Key provided.' } },
    ),
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
    client: client(
      `{ Octokit } from 'octokit'`,
      'Octokit({ auth: process.env.API_KEY, baseUrl: process.env.BASE_URL })',
      'rest.users.getAuthenticated()',
      { message: 'Bad credentials', status: '401' },
    ),
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
    client: client(
      `{ Svix } from 'svix'`,
      'Svix(process.env.API_KEY, { serverUrl: process.env.BASE_URL })',
      'application.list()',
      { code: 'authentication_failed', detail: 'Invalid token' },
    ),
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
