// Packages as npm delivers them, and the least that a program does with each: ours, and what others have for the same.

export interface Peer {
  /** Its name on npm. */
  name: string
  ours?: true
  /** A program that makes a client. */
  client?: string
  /** A program that takes in what verifies. */
  webhooks?: string
}

const client = (imported: string, created: string) =>
  `import ${imported}\nexport const client = new ${created}`
const withKey = (baseUrlName: string) =>
  `({ apiKey: process.env.API_KEY, ${baseUrlName}: process.env.BASE_URL })`
const webhook = (from: string) =>
  `import { Webhook } from '${from}'\nexport const webhook = new Webhook('whsec_a2V5LW9mLTMyLWJ5dGVz')`
const verify = (from: string) => `export { verify } from '${from}'`

export const peers: readonly Peer[] = [
  {
    ...{ name: '@ratecard/sdk', ours: true },
    client: client(`{ Ratecard } from '@ratecard/sdk'`, `Ratecard${withKey('baseUrl')}`),
  },
  { name: '@ratecard/webhooks', ours: true, webhooks: verify('@ratecard/webhooks') },
  { name: 'openai', client: client(`OpenAI from 'openai'`, `OpenAI${withKey('baseURL')}`) },
  {
    name: '@anthropic-ai/sdk',
    client: client(`Anthropic from '@anthropic-ai/sdk'`, `Anthropic${withKey('baseURL')}`),
  },
  {
    name: 'stripe',
    client: client(`Stripe from 'stripe'`, 'Stripe(process.env.API_KEY)'),
    webhooks: `import Stripe from 'stripe'\nexport const { webhooks } = new Stripe('sk_test_of_nobody')`,
  },
  { name: 'octokit', client: client(`{ Octokit } from 'octokit'`, 'Octokit({ auth: process.env.API_KEY })') },
  { name: 'resend', client: client(`{ Resend } from 'resend'`, 'Resend(process.env.API_KEY)') },
  {
    name: 'svix',
    client: client(`{ Svix } from 'svix'`, 'Svix(process.env.API_KEY)'),
    webhooks: webhook('svix'),
  },
  { name: 'standardwebhooks', webhooks: webhook('standardwebhooks') },
  { name: '@octokit/webhooks-methods', webhooks: verify('@octokit/webhooks-methods') },
]
