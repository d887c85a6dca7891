import { z } from 'zod'
import { parseDuration } from '../duration.ts'
import { addressRanges, count, duration, matching, variable } from './variable.ts'

// What workers do: alerts, price sources, and forgetting.

/** A price source that workers read by themselves. */
const scheduledSource = z.strictObject({
  source: z.string().min(1),
  /** Unset: what comes with the program, else the public address of the source. */
  url: z.string().refine(isSourceUrl).optional(),
  /** From one run to the next, as `parseDuration` reads it. Unset: how often the source is worth reading. */
  every: z.string().refine(isInterval).optional(),
})
export type ScheduledSource = z.output<typeof scheduledSource>

const scheduledSources = z
  .string()
  .transform(parseJson)
  .pipe(z.array(scheduledSource))
  .refine((items) => new Set(items.map(({ source }) => source)).size === items.length)

export const workerVariables = {
  WEBHOOK_ALLOW_CIDRS: addressRanges('', 'Private address ranges that webhook URLs may point to after all.'),
  WEBHOOK_TIMEOUT: variable({
    schema: duration.refine((ms) => ms <= 20_000),
    wants: 'a time such as 15s, at most 20s',
    default: '15s',
    description: 'Longest an attempt may take: connection, headers and body together. At most 20 s.',
  }),
  WEBHOOK_RETRY_SCHEDULE: variable({
    schema: z
      .string()
      .transform((text) => text.split(',').map(parseDuration))
      .pipe(z.array(z.number()))
      .optional(),
    wants: 'the delay before each attempt, such as 0s,5s,5m',
    description:
      'Delay before each attempt of a delivery. Unset: `0s,5s,5m,30m,2h,5h,10h,14h,20h,24h`, and 60 s at least after a time-out, 429, 502, 503 or 504.',
  }),
  WEBHOOK_CA_FILE: variable({
    schema: z.string().min(1).optional(),
    wants: 'a file with certificates in PEM',
    description:
      'Certificate authorities to trust besides the usual ones, for endpoints in networks of your own.',
  }),
  WEBHOOK_IN_FLIGHT_MAX: count(
    '1000',
    'Attempts in flight at a time, in one process: at most half of them for one account, and 2 for one endpoint over all processes. A fifth is kept for endpoints that timed out last.',
  ),
  WEBHOOK_OFF_AFTER_DAYS: count(
    '5',
    'Days without any success after which a subscription is switched off, once 3 deliveries are given up.',
  ),
  FEED_SOURCES: variable({
    schema: scheduledSources,
    wants:
      'a JSON array of sources, each once, such as [{"source":"litellm","every":"1h"},{"source":"own-csv","url":"file:///etc/ratecard/prices.csv","every":"5m"}], with http, https or file URLs without a password and times from 1s to 30d',
    default: '[{"source":"genai-prices","every":"6h"}]',
    description:
      'Price sources that workers read: name, URL (`http`, `https` or `file`) and interval. Without the URL: `genai-prices` from the program, the others at their public address. `[]`: none.',
  }),
  FEED_KEYS: variable({
    schema: z
      .string()
      .transform(parseJson)
      .pipe(z.record(z.string(), matching(/^[!-~]{1,512}$/)))
      .optional(),
    wants: 'a JSON object of keys by the names of their sources, such as {"xai":"xai-…"}',
    description:
      "Keys of price sources, by their names, for lists that sellers show to customers alone. A key is sent to its source's own address only. Unset: none.",
    secret: true,
  }),
  ALERT_MIN_SEVERITY: variable({
    schema: matching(/^[1-5]$/).transform(Number),
    wants: 'a severity from 1 to 5',
    default: '3',
    description: 'Least severity of a change that the feed alerts subscriptions of.',
  }),
} as const

/** Undefined, which is no list of sources, when the text is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isSourceUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^(?:https?|file):$/.test(protocol) && username === '' && password === ''
}

const intervalMsMax = 30 * 86_400_000

function isInterval(text: string): boolean {
  const ms = parseDuration(text)
  return ms !== null && ms >= 1_000 && ms <= intervalMsMax
}
