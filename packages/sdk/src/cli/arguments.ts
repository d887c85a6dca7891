import { randomBytes } from 'node:crypto'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { parseAgo } from '@ratecard/contract/instant'
import { isSample, sampleNames, type SampleName } from './samples.ts'

/** The command makes no sense; the message says what to write instead. */
export class UsageError extends Error {}

export interface Receiver {
  url: URL
  secret: string
  /** Nobody gave a secret: it is shown, as the receiver needs it too. */
  isSecretNew: boolean
}

export interface ListenCommand {
  name: 'listen'
  receiver: Receiver
  /** A checkpoint, an instant, or the beginning of this command. */
  since: Date | string
  /** End after one round: `replay`. */
  once: boolean
  intervalMs: number
  filter: { vendor?: string; product?: string; category?: string; min_severity?: number }
  apiKey: string | undefined
  baseUrl: string | undefined
  allowHttp: boolean
  json: boolean
}

export interface TriggerCommand {
  name: 'trigger'
  receiver: Receiver
  sample: SampleName
  /** What is wrong with the delivery, for receivers that must notice. */
  fault: 'bad-signature' | 'old' | null
  twice: boolean
  slow: boolean
  json: boolean
}

export type Command =
  | ListenCommand
  | TriggerCommand
  | { name: 'help'; of: 'listen' | 'replay' | 'trigger' | null }
  | { name: 'version' }

const shared = {
  secret: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const
const listening = {
  ...shared,
  'forward-to': { type: 'string' },
  since: { type: 'string' },
  vendor: { type: 'string' },
  product: { type: 'string' },
  category: { type: 'string' },
  'min-severity': { type: 'string' },
  interval: { type: 'string' },
  'base-url': { type: 'string' },
  'allow-http': { type: 'boolean', default: false },
} as const
const triggering = {
  ...shared,
  to: { type: 'string' },
  'bad-signature': { type: 'boolean', default: false },
  old: { type: 'boolean', default: false },
  twice: { type: 'boolean', default: false },
  slow: { type: 'boolean', default: false },
} as const

type Environment = Readonly<Record<string, string | undefined>>

export function parseCommand([name, ...args]: readonly string[], environment: Environment): Command {
  switch (name) {
    case 'listen':
    case 'replay': {
      const { values } = parsed({ args, options: listening })
      if (values.help) return { name: 'help', of: name }
      return listenCommand(values, name === 'replay', environment)
    }
    case 'trigger': {
      const { values, positionals } = parsed({ args, options: triggering, allowPositionals: true })
      if (values.help) return { name: 'help', of: name }
      return triggerCommand(values, positionals, environment)
    }
    case '--version':
    case '-v':
      return { name: 'version' }
    case undefined:
    case 'help':
    case '--help':
    case '-h':
      return { name: 'help', of: null }
    default:
      throw new UsageError(
        `There is no command ${JSON.stringify(name)}: there are listen, replay and trigger.`,
      )
  }
}

function listenCommand(
  values: ReturnType<typeof parsed<{ options: typeof listening }>>['values'],
  isReplay: boolean,
  environment: Environment,
): ListenCommand {
  if (isReplay && values.since === undefined) {
    throw new UsageError('Say from when on to replay, such as --since 24h.')
  }
  const { vendor, product, category } = values
  const severity = values['min-severity']
  return {
    name: 'listen',
    receiver: parseReceiver('--forward-to', values['forward-to'], values.secret, environment),
    since: values.since === undefined ? new Date() : parseSince(values.since),
    once: isReplay,
    intervalMs: 1_000 * parseNumber('--interval', values.interval ?? '60', 5, 86_400),
    filter: {
      ...(vendor !== undefined && { vendor }),
      ...(product !== undefined && { product }),
      ...(category !== undefined && { category }),
      ...(severity !== undefined && { min_severity: parseNumber('--min-severity', severity, 1, 5) }),
    },
    apiKey: environment.RATECARD_API_KEY,
    baseUrl: values['base-url'],
    allowHttp: values['allow-http'],
    json: values.json,
  }
}

function triggerCommand(
  values: ReturnType<typeof parsed<{ options: typeof triggering; allowPositionals: true }>>['values'],
  [sample = 'price_rise', ...more]: readonly string[],
  environment: Environment,
): TriggerCommand {
  if (more.length > 0 || !isSample(sample)) {
    throw new UsageError(`Name one alert of these: ${sampleNames.join(', ')}.`)
  }
  if (values['bad-signature'] && values.old) {
    throw new UsageError(
      'Choose --bad-signature or --old: a receiver refuses for the first reason that it finds.',
    )
  }
  return {
    name: 'trigger',
    receiver: parseReceiver('--to', values.to, values.secret, environment),
    sample,
    fault: values['bad-signature'] ? 'bad-signature' : values.old ? 'old' : null,
    twice: values.twice,
    slow: values.slow,
    json: values.json,
  }
}

function parseReceiver(
  option: string,
  address: string | undefined,
  given: string | undefined,
  environment: Environment,
): Receiver {
  const url = URL.canParse(address ?? '') ? new URL(address ?? '') : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `Say where your receiver is, such as ${option} http://localhost:3000/webhooks/ratecard.`,
    )
  }
  const secret = given ?? environment.RATECARD_WEBHOOK_SECRET
  if (secret === '') throw new UsageError('The secret is empty. Leave it out, and one is made and shown.')
  return secret === undefined
    ? { url, secret: `local_${randomBytes(18).toString('base64url')}`, isSecretNew: true }
    : { url, secret, isSecretNew: false }
}

/** `90m`, `24h`, `7d`; an instant with an offset; or a checkpoint, which the client knows. */
function parseSince(text: string): Date | string {
  return parseAgo(text) ?? text
}

function parseNumber(option: string, text: string, min: number, max: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN
  if (number >= min && number <= max) return number
  throw new UsageError(`${option} is a whole number from ${min} to ${max}.`)
}

function parsed<Config extends ParseArgsConfig>(config: Config) {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
