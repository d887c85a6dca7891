import { parseArgs } from 'node:util'

/** A command line or an environment that makes no sense. The message says what to write. */
export class SettingsError extends Error {}

/** What the server is started with. */
export interface Settings {
  /** Where a snapshot is: a file, or an address. Null: nowhere is named. */
  readonly snapshot: string | null
  /** The base URL. Null: none is set. */
  readonly baseUrl: string | null
  readonly apiKey: string | null
  readonly allowHttp: boolean
  /** How many requests of the quota it makes a day at most. */
  readonly requestsPerDayMax: number
}

const options = {
  catalog: { type: 'string' },
  'allow-http': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

const requestsPerDayUsual = 500

export type Start = { readonly show: 'help' | 'version' } | { readonly settings: Settings }

/** @throws SettingsError that says what to write */
export function readSettings(args: readonly string[], env: NodeJS.ProcessEnv): Start {
  const values = parsed(args)
  if (values.help) return { show: 'help' }
  if (values.version) return { show: 'version' }
  const allowHttp = values['allow-http'] ?? false
  const baseUrl = readText(env['RATECARD_BASE_URL'])
  if (baseUrl !== null) checkBaseUrl(baseUrl, allowHttp)
  return {
    settings: {
      snapshot: values.catalog ?? null,
      baseUrl: baseUrl?.replace(/\/+$/, '') ?? null,
      apiKey: readText(env['RATECARD_API_KEY']),
      allowHttp,
      requestsPerDayMax: parseCount(env['RATECARD_MCP_REQUESTS_PER_DAY']),
    },
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values
  } catch (error) {
    throw new SettingsError(`${(error as Error).message.split('. ')[0]}.`)
  }
}

/** Clients write an empty text for what their user has not set. */
function readText(value: string | undefined): string | null {
  const text = value?.trim() ?? ''
  return text === '' ? null : text
}

const isLoopback = /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/

function checkBaseUrl(baseUrl: string, allowHttp: boolean): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  const isAllowed =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && (allowHttp || isLoopback.test(url.hostname)))
  // The address is not repeated: it may be a misplaced key.
  if (!isAllowed || /[?#@]/.test(baseUrl))
    throw new SettingsError(
      'RATECARD_BASE_URL is an address such as https://api.ratecard.example, without user info, query and fragment; http:// to another machine needs --allow-http.',
    )
}

function parseCount(value: string | undefined): number {
  const text = readText(value)
  if (text === null) return requestsPerDayUsual
  if (!/^\d{1,9}$/.test(text))
    throw new SettingsError('RATECARD_MCP_REQUESTS_PER_DAY is a whole number, such as 500.')
  return Number(text)
}
