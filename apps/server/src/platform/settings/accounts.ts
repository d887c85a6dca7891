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

/** In place of a key of Stripe: buying can be tried, and nobody pays. */
export const testPayments = 'test:'

const linksMax = 5
const linkPattern = /^([^=]{1,30})=(https?:\/\/\S{1,500})$/

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
  CONTACT: variable({
    schema: z
      .string()
      .refine((text) => isAddress(text) || (/^https:\/\/\S{1,300}$/.test(text) && URL.canParse(text)))
      .optional(),
    wants: 'an e-mail address or an https URL',
    description:
      'Whom people write to, about plans, prices and security. Public: the foot of every page and `/.well-known/security.txt` name it.',
  }),
  FOOTER_LINKS: variable({
    schema: list
      .refine(
        (links) =>
          links.length <= linksMax && links.every((link) => URL.canParse(linkPattern.exec(link)?.[2] ?? '')),
      )
      .transform((links) =>
        links.map((link) => {
          const [, label = '', url = ''] = linkPattern.exec(link) ?? []
          return { label: label.trim(), url }
        }),
      ),
    wants: `at most ${linksMax} names with http or https URLs, such as Terms=https://prices.example/terms, with commas between`,
    default: '',
    description: 'Links at the foot of every page, such as terms, privacy and imprint. Empty: none.',
  }),
  STRIPE_SECRET_KEY: variable({
    schema: z.union([z.literal(testPayments), matching(/^[sr]k_\w+$/)]).optional(),
    wants: 'a secret key of Stripe, sk_… or rk_…, or test:',
    description:
      'Sells plans and packs through Stripe. Unset: an operator grants them. `test:` lets owners try to buy packs on a page of this server without Stripe and without paying; a server with an `https` address does not start with it.',
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
