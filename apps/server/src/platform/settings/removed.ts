const plansAreFixed =
  'Each plan has the numbers of packages/contract/src/plans.js, which customers read too. Remove it.'
const onBillingPage =
  'Answers lead to PUBLIC_URL/dashboard/billing. Remove it; CONTACT puts the address of a shop on that page.'

/**
 * What earlier releases read, with what stands in its place. Found in the environment it stops the start, as a slip in a
 * name does. A name with a value is refused with that value alone: systems set `MAIL` to the mailbox of the user.
 */
export const removedVariables: Readonly<Record<string, string>> = {
  DAILY_LIMIT_SCALE: plansAreFixed,
  DAILY_LIMIT_TEAM: plansAreFixed,
  DAILY_LIMIT_ENTERPRISE: plansAreFixed,
  KEYS_MAX_FREE: plansAreFixed,
  KEYS_MAX_PAID: plansAreFixed,
  UPGRADE_URL: onBillingPage,
  TOPUP_URL: onBillingPage,
  BILLING_CONTACT: 'Set CONTACT instead: every page shows it, also to strangers.',
  STRIPE_API_URL: 'Stripe itself is asked. Remove it.',
  'MAIL=log': 'Set SMTP_URL=log: instead.',
  DASHBOARD_POOL_SIZE: 'The dashboard and the public pages have 4 connections. Remove it.',
  PAGES_MEMORY_MIB: 'A process keeps 24 MiB of pages. Remove it.',
  WEBHOOK_CONNECT_TIMEOUT:
    'A connection to an endpoint may take 5 s, and WEBHOOK_TIMEOUT bounds all of an attempt. Remove it.',
  WEBHOOK_ACCOUNT_IN_FLIGHT_MAX: 'An account has at most half of WEBHOOK_IN_FLIGHT_MAX. Remove it.',
  WEBHOOK_ENDPOINT_IN_FLIGHT_MAX: 'An endpoint gets 2 attempts at a time. Remove it.',
  WEBHOOK_OFF_AFTER_EXHAUSTED:
    'A subscription is switched off after WEBHOOK_OFF_AFTER_DAYS and 3 deliveries that were given up. Remove it.',
  WEBHOOK_TRACEPARENT: 'No delivery has a traceparent: customers have x-svc-delivery. Remove it.',
}
