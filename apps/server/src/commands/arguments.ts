import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'
import type { Config } from '../platform/config.ts'
import { parseDuration } from '../platform/duration.ts'
import { isDateText, parseInstant, toInstant } from '../platform/instant.ts'
import { UserError, whyUnreadable } from '../platform/user-error.ts'

// Reads the arguments of a command line.

/** An RFC 3339 time, or a date for its midnight in UTC. */
export function timeArgument(text: string): string {
  const instant = parseInstant(isDateText(text) ? `${text}T00:00:00Z` : text)
  if (instant === null)
    throw new InvalidArgumentError('Give a time such as 2026-01-31T12:00:00Z, or a date such as 2026-01-31.')
  return instant
}

/** As `timeArgument`, but a date stands for its end. */
export function momentArgument(text: string): string {
  return isDateText(text) ? `${text}T23:59:59.999999Z` : timeArgument(text)
}

export function choiceArgument<Choice extends string>(choices: readonly Choice[]): (text: string) => Choice {
  return (text) => {
    const choice = choices.find((name) => name === text)
    if (!choice) throw new InvalidArgumentError(`Give one of ${choices.join(', ')}.`)
    return choice
  }
}

/** @param max largest reasonable value */
export function countArgument(max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^[1-9]\d*$/.test(text) || value > max)
      throw new InvalidArgumentError(`Give a whole number from 1 to ${max}.`)
    return value
  }
}

/** Control characters, and those that turn the direction of the text after them: "evil" would read "live". */
const controls = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

export function nameArgument(text: string): string {
  const name = text.trim()
  if (name === '' || name.length > 200 || controls.test(name))
    throw new InvalidArgumentError('Give a name of 1 to 200 characters, none of them a control character.')
  return name
}

/** An e-mail address, in lower case. Signing in with it shows whether it exists. */
export function emailArgument(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text) || text.length > 254)
    throw new InvalidArgumentError('Give an address such as ada@customer.example.')
  return text.toLowerCase()
}

/** `30m`, `2h` or `90s`, up to a day, in seconds. */
export function durationArgument(text: string): number {
  const seconds = (parseDuration(text) ?? NaN) / 1_000
  if (!Number.isInteger(seconds) || seconds > 86_400)
    throw new InvalidArgumentError('Give a time such as 90s, 30m or 2h, up to 24h.')
  return seconds
}

export const expiryForms = 'a number of days such as 90d, or a time such as 2027-01-31'
const msPerDay = 86_400_000

/** Days from now, or a time, as an instant. */
export function expiryArgument(text: string): string {
  const days = /^([1-9]\d{0,3})d$/.exec(text)?.[1]
  return days === undefined ? timeArgument(text) : toInstant(new Date(Date.now() + Number(days) * msPerDay))
}

/** The document of a file that is named relative to where the person called. */
export async function readJsonFile(config: Config, file: string): Promise<unknown> {
  const path = resolve(config.workingDirectory, file)
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new UserError(`Cannot read ${path}: ${whyUnreadable(cause)}.`, { cause })
  })
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UserError(`${file} is not valid JSON: ${(cause as Error).message}.`, { cause })
  }
}
