import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { distance } from 'fastest-levenshtein'
import type { z } from 'zod'
import { projectRoot } from './paths.ts'
import { accountVariables, mailToLog } from './settings/accounts.ts'
import { observingVariables } from './settings/observing.ts'
import { removedVariables } from './settings/removed.ts'
import { retentionVariables } from './settings/retention.ts'
import { hubUrlVariable, servingVariables, trustedProxiesDefault } from './settings/serving.ts'
import type { Variable } from './settings/variable.ts'
import { workerVariables } from './settings/workers.ts'
import { UserError } from './user-error.ts'

/** Every variable the server reads. `docs/operations.md` lists the same; a test compares the two. */
export const variables = {
  ...servingVariables,
  ...accountVariables,
  ...workerVariables,
  ...retentionVariables,
  ...observingVariables,
} as const

type Values = { [Name in keyof typeof variables]: z.output<(typeof variables)[Name]['schema']> }
export type VariableName = keyof Values

export interface Config extends Values {
  /** Where relative file arguments of commands start: the folder in which the person called. */
  workingDirectory: string
}

/**
 * Reads the environment, once. A wrong value stops the program by a `UserError` that names the variable.
 * @param defaults what a command has in place of the usual defaults
 */
export function readConfig(
  env: Record<string, string | undefined> = process.env,
  defaults: { LOG_LEVEL?: string } = {},
): Config {
  const problems = [...removedIn(env), ...misspelledVariables(env)]
  const values = Object.fromEntries(
    Object.entries<Variable<unknown>>(variables).map(([name, variable]) => {
      const fallback = (defaults as Record<string, string>)[name] ?? variable.default
      return [name, readVariable(env, name, variable, problems, fallback)]
    }),
  ) as Values
  if (env.NODE_ENV === 'production' && values.DATABASE_URL === undefined && !env.DATA_DIR?.trim()) {
    problems.push(
      'DATABASE_URL is not set, and NODE_ENV is production: the server would start with an empty database of its own. Set DATABASE_URL; or DATA_DIR, when the embedded database is what you want.',
    )
  }
  if (problems.length > 0) throw new UserError(problems.join('\n'))

  return Object.freeze({
    ...values,
    DATA_DIR: resolve(projectRoot, values.DATA_DIR),
    // pnpm moves a script to the package's folder and says here where it was called.
    workingDirectory: env.INIT_CWD ?? process.cwd(),
  })
}

/**
 * Where the commands of `cells` find the hub; undefined: `CELL_HUB_URL` is not set. It is no setting of a server.
 * @throws UserError when its value is wrong
 */
export function readHubUrl(env: Record<string, string | undefined> = process.env): string | undefined {
  const problems: string[] = []
  const url = readVariable(env, 'CELL_HUB_URL', hubUrlVariable, problems)
  if (problems.length > 0) throw new UserError(problems.join('\n'))
  return url
}

function readVariable<T>(
  env: Record<string, string | undefined>,
  name: string,
  { schema, wants, secret }: Variable<T>,
  problems: string[],
  fallback?: string,
): T | undefined {
  const given = env[name]?.trim() || (secret && readSecretFile(env, name, problems)) || undefined
  const result = schema.safeParse(given ?? fallback)
  if (!result.success) {
    const shown = secret ? 'its value (not shown)' : JSON.stringify(given)
    problems.push(`${name} must be ${wants}; ${shown} is not.`)
  }
  return result.data
}

/** A secret that an orchestrator mounts as a file, and names by the variable with `_FILE`. */
function readSecretFile(
  env: Record<string, string | undefined>,
  name: string,
  problems: string[],
): string | undefined {
  const path = env[`${name}_FILE`]?.trim()
  if (!path) return undefined
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    problems.push(`${name}_FILE names a file that cannot be read: ${(error as NodeJS.ErrnoException).code}.`)
    return undefined
  }
}

/** What a release before read, and this one would pass over in silence. */
function removedIn(env: Record<string, string | undefined>): string[] {
  return Object.entries(removedVariables).flatMap(([removed, instead]) => {
    const [name = '', only] = removed.split('=')
    const given = env[name]?.trim()
    return given && (only === undefined || given === only)
      ? [`${removed} is not a setting any more. ${instead}`]
      : []
  })
}

/**
 * A slip in a name would leave its setting at the default, and a server without its DATABASE_URL starts with a database
 * of its own, which is empty.
 */
function misspelledVariables(env: Record<string, string | undefined>): string[] {
  const missing = Object.keys(variables).filter((name) => name.length >= nameLengthMin && !env[name])
  const unknown = Object.keys(env).filter((name) => env[name] && !(name in variables))
  return unknown.flatMap((name) => {
    const meant = missing.find((candidate) => {
      if (name === `${candidate}_FILE`) return !variables[candidate as VariableName].secret
      return distance(name.toUpperCase(), candidate) <= editsMax
    })
    return meant ? [`${name} is not read. Is ${meant} meant?`] : []
  })
}

// Short names, such as PORT, have neighbours that mean something else.
const nameLengthMin = 8
const editsMax = 2

/**
 * The address that answers and alerts name.
 * @param port the port that is listened on: the configured one may be 0
 */
export function publicUrl({ PUBLIC_URL }: Config, port: number): string {
  return PUBLIC_URL ?? `http://localhost:${port}`
}

/** A cell, and where its people sign in. */
export type CellHost = Config['CELL_HOSTS'][number]

/** Where accounts are made, when that is another cell; null: here. */
export function findSignUpUrl({ CELL_HOSTS }: Config, publicUrl: string): string | null {
  const url = CELL_HOSTS.find(({ takesSignUps }) => takesSignUps)?.url ?? publicUrl
  return new URL(url).origin === new URL(publicUrl).origin ? null : `${url}/dashboard/sign-up`
}

const drainDelayMsBehindProxy = 5_000

/** How long a server that leaves goes on taking requests. It speaks no TLS itself: with https a proxy is in front. */
export function drainDelayMs({ DRAIN_DELAY, PUBLIC_URL, TRUSTED_PROXIES }: Config): number {
  const isBehindProxy =
    PUBLIC_URL?.startsWith('https:') === true || TRUSTED_PROXIES.join() !== trustedProxiesDefault
  return DRAIN_DELAY ?? (isBehindProxy ? drainDelayMsBehindProxy : 0)
}

/**
 * Links to sign in are secrets: a server that people reach must not write them into its log unasked.
 * @throws UserError that says what to set
 */
export function requireMail({ SMTP_URL, PUBLIC_URL }: Config): void {
  if (SMTP_URL !== undefined || !PUBLIC_URL?.startsWith('https:')) return
  throw new UserError(
    'SMTP_URL is not set, and PUBLIC_URL is https: links to sign in would stand in the log. Set SMTP_URL to a mail server, or SMTP_URL=log: when nobody reads the log who must not sign in as anybody.',
  )
}

/** The server that mails; undefined: there is none, and links are logged. */
export function mailServer({ SMTP_URL }: Config): string | undefined {
  return SMTP_URL === mailToLog ? undefined : SMTP_URL
}

/** The values in force with secrets left out, for people to look at. */
export function describeConfig(config: Config): { id: VariableName; value: string; description: string }[] {
  return Object.entries<Variable<unknown>>(variables).map(([name, { secret, description }]) => {
    const id = name as VariableName
    const value: string | number | boolean | object | undefined = config[id]
    const plain = typeof value === 'object' ? JSON.stringify(value) : String(value ?? '')
    const text = Array.isArray(value) && id !== 'FEED_SOURCES' ? value.join(',') : plain
    return { id, value: secret && text ? '(set)' : text, description }
  })
}
