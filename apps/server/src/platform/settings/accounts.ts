import { z } from 'zod'
import { list, matching, url, variable } from './variable.ts'

// How users sign in, and what is sold to them.

const optionalPriceId = (description: string) =>
  variable({
    schema: matching(/^price_\w+$/).optional(),
    wants: 'the id of a price at Stripe, price_…',
    description,
  })

/** In place of a mail server. */
export const mailToLog = 'log:'

/** Each is mailed. */
const operatorsMax = 20

/** Plain characters only: an address that looks like an operator's is not to be taken for it. */
const isAddress = (text: string) => /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9.-]+$/i.test(text) && text.length <= 254

export const accountVariables = {
  SMTP_URL: variable({
    schema: z.union([z.literal(mailToLog), url(/^smtps?:$/)]).optional(),
    wants: 'a URL such as smtps://user:password@mail.example, or log:',
    description:
      'Server that mails links to sign up, to choose a password and to join an account, and notices. `log:` logs links, as warnings: whoever reads the log can sign in as anybody. Unset: they are logged too, and a server with an `https` address does not start.',
    secret: true,
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
} as const
