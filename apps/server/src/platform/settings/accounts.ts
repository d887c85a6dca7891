import { planFacts } from '@ratecard/contract/plans'
import { z } from 'zod'
import { count, list, matching, optionalHttpUrl, url, variable } from './variable.ts'

// How users sign in, and what is sold to them.

const optionalPriceId = (description: string) =>
  variable({
    schema: matching(/^price_\w+$/).optional(),
    wants: 'the id of a price at Stripe, price_…',
    description,
  })

/** Each is mailed. */
const operatorsMax = 20

/** Plain characters only: an address that looks like an operator's is not to be taken for it. */
const isAddress = (text: string) => /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9.-]+$/i.test(text) && text.length <= 254

export const accountVariables = {
  SMTP_URL: variable({
    schema: url(/^smtps?:$/).optional(),
    wants: 'a URL such as smtps://user:password@mail.example',
    description:
      'Server that mails links to sign up, to choose a password and to join an account, and notices. Unset: links are logged, as warnings, which only a server that is tried out does.',
    secret: true,
  }),
  MAIL: variable({
    schema: z.literal('log').optional(),
    wants: 'log, or nothing',
    description:
      '`log` lets a server with an `https` address run without `SMTP_URL`: whoever reads its log can sign in as anybody. Unset: it refuses to start.',
  }),
  MAIL_FROM: variable({
    schema: z.string().min(3).max(320),
    wants: 'an address such as Ratecard <no-reply@prices.example>',
    default: 'Ratecard <no-reply@localhost>',
    description: 'Sender of those mails.',
  }),
  OPERATOR_EMAILS: variable({
    schema: list
      .refine((addresses) => addresses.length <= operatorsMax && addresses.every(isAddress))
      .transform((addresses) => [...new Set(addresses.map((address) => address.toLowerCase()))]),
    wants: `at most ${operatorsMax} e-mail addresses such as ada@prices.example, with commas between`,
    default: '',
    description:
      'Users who decide on held prices in the dashboard, by the address with which they sign in. They are mailed when something waits. Empty: nobody.',
  }),
  BILLING_CONTACT: variable({
    schema: z.string().min(3).max(320).optional(),
    wants: 'an e-mail address or an http or https URL',
    description: 'Whom the billing page names for what it cannot do itself.',
  }),
  STRIPE_SECRET_KEY: variable({
    schema: matching(/^[sr]k_\w+$/).optional(),
    wants: 'a secret key of Stripe, sk_… or rk_…',
    description: 'Sells plans and packs through Stripe. Unset: an operator grants them.',
    secret: true,
  }),
  STRIPE_WEBHOOK_SECRET: variable({
    schema: matching(/^whsec_\S+$/).optional(),
    wants: 'the signing secret of a Stripe webhook endpoint, whsec_…',
    description:
      'Verifies what Stripe sends to `/dashboard/api/billing/stripe`. Needed with `STRIPE_SECRET_KEY`.',
    secret: true,
  }),
  STRIPE_PRICE_DEVELOPER: optionalPriceId(
    'Recurring price of the Developer plan at Stripe. Needed with `STRIPE_SECRET_KEY`.',
  ),
  STRIPE_PRICE_PACK: optionalPriceId('Price of one top-up pack at Stripe. Needed with `STRIPE_SECRET_KEY`.'),
  STRIPE_API_URL: optionalHttpUrl('Where Stripe is reached, for tests. Unset: Stripe itself.'),
  DAILY_LIMIT_SCALE: count(
    String(planFacts.scale.dailyLimit),
    'Requests per key and UTC day on the Scale plan.',
  ),
  DAILY_LIMIT_TEAM: count(
    String(planFacts.team.dailyLimit),
    'Requests per key and UTC day on the Team plan.',
  ),
  DAILY_LIMIT_ENTERPRISE: count(
    String(planFacts.enterprise.dailyLimit),
    'Requests per key and UTC day on the Enterprise plan.',
  ),
  KEYS_MAX_FREE: count(
    String(planFacts.free.keysMax),
    'Active keys an account may hold without a paid plan.',
  ),
  KEYS_MAX_PAID: count(
    String(planFacts.developer.keysMax),
    'Active keys an account may hold on a paid plan.',
  ),
} as const
