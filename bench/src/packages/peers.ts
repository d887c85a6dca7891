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
  create: readonly string[]
  /** What a mistake of the customer makes fail, or why nothing is thrown. */
  fail: { call: string } | { never: string }
  /** The body of 401, in the form of this API. */
  refusal?: unknown
}

/** Which of its programs a peer is measured with. */
export type Use = 'client' | 'webhooks'

const options = (baseUrlName: string) =>
  `{ apiKey: process.env.API_KEY, ${baseUrlName}: process.env.BASE_URL }`
const openaiRefusal = {
  error: { type: 'invalid_request_error', code: 'invalid_api_key', message: 'Incorrect API key.' },
}

const secret = 'whsec_a2V5LW9mLTMyLWJ5dGVzLW1hZGUtZm9yLWEtYmVuY2g='
/** Headers of Standard Webhooks, whose signature is of another body. */
const forged = (prefix: string) =>
  `{ '${prefix}-id': 'msg_1', '${prefix}-timestamp': String(Math.floor(Date.now() / 1000)), '${prefix}-signature': 'v1,${'A'.repeat(43)}=' }`

export const peers: readonly Peer[] = [
  {
    name: '@ratecard/sdk',
    ours: true,
    client: {
      create: [
        `import { Ratecard } from '@ratecard/sdk'`,
        `export const client = new Ratecard(${options('baseUrl')})`,
      ],
      fail: { call: 'await client.usage.get()' },
      refusal: { error: 'unauthorized', message: 'Send a valid API key.', status: 401 },
    },
  },
  {
    name: '@ratecard/webhooks',
    ours: true,
    webhooks: {
      create: [`export { verify } from '@ratecard/webhooks'`, `import { verify } from '@ratecard/webhooks'`],
      fail: {
        call: `await verify('{}', { 'x-ratecard-signature': 'sha256=${'0'.repeat(64)}' }, { secret: '${secret}' })`,
      },
    },
  },
  {
    name: 'openai',
    client: {
      create: [`import OpenAI from 'openai'`, `export const client = new OpenAI(${options('baseURL')})`],
      fail: { call: 'await client.models.list()' },
      refusal: openaiRefusal,
    },
  },
  {
    name: '@anthropic-ai/sdk',
    client: {
      create: [
        `import Anthropic from '@anthropic-ai/sdk'`,
        `export const client = new Anthropic(${options('baseURL')})`,
      ],
      fail: { call: 'await client.models.list()' },
      refusal: { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } },
    },
  },
  {
    name: 'stripe',
    client: {
      create: [
        `import Stripe from 'stripe'`,
        `const { hostname: host, port } = new URL(process.env.BASE_URL)`,
        `export const client = new Stripe(process.env.API_KEY, { host, port, protocol: 'http' })`,
      ],
      fail: { call: 'await client.customers.list()' },
      refusal: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided.' } },
    },
    webhooks: {
      create: [`import Stripe from 'stripe'`, `export const { webhooks } = new Stripe('sk_test_of_nobody')`],
      fail: { call: `webhooks.constructEvent('{}', 't=1,v1=${'0'.repeat(64)}', '${secret}')` },
    },
  },
  {
    name: 'octokit',
    client: {
      create: [
        `import { Octokit } from 'octokit'`,
        `export const client = new Octokit({ auth: process.env.API_KEY, baseUrl: process.env.BASE_URL })`,
      ],
      fail: { call: 'await client.rest.users.getAuthenticated()' },
      refusal: {
        message: 'Bad credentials',
        documentation_url: 'https://docs.github.com/rest',
        status: '401',
      },
    },
  },
  {
    name: 'resend',
    client: {
      create: [
        `import { Resend } from 'resend'`,
        `export const client = new Resend(process.env.API_KEY, { baseUrl: process.env.BASE_URL })`,
      ],
      fail: { never: 'answers { error }' },
    },
  },
  {
    name: 'svix',
    client: {
      create: [
        `import { Svix } from 'svix'`,
        `export const client = new Svix(process.env.API_KEY, { serverUrl: process.env.BASE_URL })`,
      ],
      fail: { call: 'await client.application.list()' },
      refusal: { code: 'authentication_failed', detail: 'Invalid token' },
    },
    webhooks: {
      create: [`import { Webhook } from 'svix'`, `export const webhook = new Webhook('${secret}')`],
      fail: { call: `webhook.verify('{}', ${forged('svix')})` },
    },
  },
  {
    name: 'standardwebhooks',
    webhooks: {
      create: [
        `import { Webhook } from 'standardwebhooks'`,
        `export const webhook = new Webhook('${secret}')`,
      ],
      fail: { call: `webhook.verify('{}', ${forged('webhook')})` },
    },
  },
  {
    name: '@octokit/webhooks-methods',
    webhooks: {
      create: [`export { verify } from '@octokit/webhooks-methods'`],
      fail: { never: 'answers false' },
    },
  },
]
