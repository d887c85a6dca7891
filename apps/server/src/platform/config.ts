import { resolve } from 'node:path'
import type { z } from 'zod'
import { projectRoot } from './paths.ts'
import { accountVariables } from './settings/accounts.ts'
import { servingVariables } from './settings/serving.ts'
import type { Variable } from './settings/variable.ts'
import { workerVariables } from './settings/workers.ts'
import { UserError } from './user-error.ts'

/** Every variable the server reads. `docs/operations.md` has the same table; a test compares the two. */
export const variables = { ...servingVariables, ...accountVariables, ...workerVariables } as const

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
  const problems: string[] = []
  const values = Object.fromEntries(
    Object.entries<Variable<unknown>>(variables).map(
      ([name, { schema, wants, secret, default: fallback }]) => {
        const given = env[name]?.trim() || undefined
        const result = schema.safeParse(given ?? (defaults as Record<string, string>)[name] ?? fallback)
        if (!result.success) {
          const shown = secret ? 'its value (not shown)' : JSON.stringify(given)
          problems.push(`${name} must be ${wants}; ${shown} is not.`)
        }
        return [name, result.data]
      },
    ),
  ) as Values
  if (problems.length > 0) throw new UserError(problems.join('\n'))

  return Object.freeze({
    ...values,
    DATA_DIR: resolve(projectRoot, values.DATA_DIR),
    // pnpm moves a script to the package's folder and says here where it was called.
    workingDirectory: env.INIT_CWD ?? process.cwd(),
  })
}

/** The addresses that answers and alerts name. */
export interface PublicUrls {
  base: string
  upgrade: string
  topup: string
}

/** @param port the port that is listened on: the configured one may be 0 */
export function publicUrls(config: Config, port: number): PublicUrls {
  const base = config.PUBLIC_URL ?? `http://localhost:${port}`
  const billing = `${base}/dashboard/billing`
  return { base, upgrade: config.UPGRADE_URL ?? billing, topup: config.TOPUP_URL ?? billing }
}

/**
 * Links to sign in are secrets: a server that people reach must not write them into its log unasked.
 * @throws UserError that says what to set
 */
export function requireMail({ SMTP_URL, MAIL, PUBLIC_URL }: Config): void {
  if (SMTP_URL !== undefined || MAIL === 'log' || !PUBLIC_URL?.startsWith('https:')) return
  throw new UserError(
    'SMTP_URL is not set, and PUBLIC_URL is https: links to sign in would stand in the log. Set SMTP_URL to a mail server, or MAIL=log when nobody reads the log who must not sign in as anybody.',
  )
}

/** The values in force with secrets left out, for people to look at. */
export function describeConfig(config: Config): { id: VariableName; value: string; description: string }[] {
  return Object.entries<Variable<unknown>>(variables).map(([name, { secret, description }]) => {
    const id = name as VariableName
    const value = id === 'FEED_SOURCES' ? JSON.stringify(config[id]) : config[id]
    const text = value === undefined ? '' : Array.isArray(value) ? value.join(',') : String(value)
    return { id, value: secret && text ? '(set)' : text, description }
  })
}
