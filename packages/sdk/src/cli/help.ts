import { sampleNames } from './samples.ts'

const general = `Ratecard on a developer's machine: change alerts at a local receiver, without a tunnel.

  ratecard-sdk listen --forward-to URL              forward new alerts, signed, as they are published
  ratecard-sdk replay --forward-to URL --since 24h  the same for those of a time, then end
  ratecard-sdk trigger ALERT --to URL               send a sample alert; needs no key and no network

"ratecard-sdk COMMAND --help" says more. Examples:

  export RATECARD_API_KEY=rc_live_... RATECARD_BASE_URL=https://...
  npx @ratecard/sdk listen --forward-to http://localhost:3000/webhooks/ratecard
  npx @ratecard/sdk trigger price_rise --to http://localhost:3000/webhooks/ratecard --twice
`

const listening = `  --forward-to URL     your receiver, such as http://localhost:3000/webhooks/ratecard
  --secret SECRET      sign with it; RATECARD_WEBHOOK_SECRET is read too, and else one is made and shown
  --vendor VENDOR      only changes of this vendor
  --product PRODUCT    only changes of this product
  --category CATEGORY  only of this category, such as price_rise
  --min-severity N     only of this severity, 1 to 5, and above
  --base-url URL       where Ratecard is; RATECARD_BASE_URL is read too
  --allow-http         let the key go over http:// to another machine
  --json               a line of JSON for each event

RATECARD_API_KEY is the key; changes need the Developer plan or a larger one. Each round uses one request of the key's
daily quota. What you get is what a webhook gets: the same body, headers and signature. An address that refuses
connections is tried again until it takes the alert, so a receiver that starts again misses nothing; another answer than
200 to 299 is shown, and the next alert follows. Redirects are not followed.

`

const texts = {
  listen: `ratecard-sdk listen --forward-to URL [options]

Asks for new changes again and again, and forwards them as signed alerts, until you press Ctrl+C.

  --since TIME         begin there: 90m, 24h, 7d, an instant such as 2026-11-20T00:00:00Z, or the checkpoint that the last
                       run ended with. Default: now
  --interval SECONDS   time between two rounds, 5 to 86,400. Default: 60, which is 1,440 requests a day
${listening}Exit code: 0 after Ctrl+C, 1 when the service refuses, 2 for a mistake in the command.
`,
  replay: `ratecard-sdk replay --since TIME --forward-to URL [options]

Forwards the changes of a time as signed alerts, once, oldest first.

  --since TIME         from when on: 90m, 24h, 7d, or an instant such as 2026-11-20T00:00:00Z
${listening}Exit code: 0 when your receiver took all, 1 when it did not or the service refuses, 2 for a mistake in the command.
`,
  trigger: `ratecard-sdk trigger [ALERT] --to URL [options]

Sends a sample alert as Ratecard would. It asks the service nothing.

  ALERT                ${sampleNames.join(', ')}
                       Default: price_rise
  --to URL             your receiver, such as http://localhost:3000/webhooks/ratecard
  --secret SECRET      sign with it; RATECARD_WEBHOOK_SECRET is read too, and else one is made and shown
  --twice              send the same delivery again: its work must be done once
  --slow               send the body in pieces over a second
  --bad-signature      sign with another secret: your receiver must refuse it
  --old                sign with a time of an hour ago: your receiver must refuse it
  --json               a line of JSON for each event

Exit code: 0 when your receiver did what it must, 1 when it did not, 2 for a mistake in the command.
`,
}

export function help(of: keyof typeof texts | null): string {
  return of === null ? general : texts[of]
}
