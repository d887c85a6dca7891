import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { text as readText } from 'node:stream/consumers'
import { shippedCatalog } from '../catalog.ts'
import { catalogFromFile } from '../file.ts'
import type { Catalog, CatalogStamp } from '../index.ts'
import { catalogFromUrl } from '../live.ts'

/** Where a command writes. */
export interface Output {
  out: (text: string) => unknown
  err: (text: string) => unknown
}

/** The command line cannot be understood. */
export class CliError extends Error {}

interface Words {
  argument?: string | undefined
  platform?: string | undefined
  region?: string | undefined
  catalog?: string | undefined
  model?: string | undefined
  reader?: string | undefined
  tier?: string | undefined
  at?: string | undefined
  usage?: string | undefined
  log?: string | undefined
  'cache-ttl'?: string | undefined
  overrides?: string | undefined
  'prefer-reported'?: boolean | undefined
  json?: boolean | undefined
}

export type Command = (words: Words, output: Output) => Promise<number>

/** What the package says to programs, said to people: its options are words of the command line. */
export function inCliWords(message: string): string {
  return message
    .replaceAll('"cacheTtl"', '--cache-ttl')
    .replaceAll(/"(model|platform|region|tier|at|reader|overrides)"/g, '--$1')
}

/** The named catalog, read once. */
export async function openCatalog(named: string | undefined): Promise<Catalog> {
  if (named === undefined) return shippedCatalog()
  return /^https?:\/\//.test(named)
    ? catalogFromUrl(named, { refreshMs: 0 })
    : catalogFromFile(named, { refreshMs: 0 })
}

const bytesMax = 64 * 2 ** 20

/** A file's text; `-`: stdin. */
export async function readFileText(path: string): Promise<string> {
  const text = await (path === '-' ? readText(process.stdin) : readFile(path, 'utf8')).catch(
    (error: NodeJS.ErrnoException) => {
      throw new CliError(`${path} cannot be read${error.code === undefined ? '' : ` (${error.code})`}.`)
    },
  )
  if (text.length > bytesMax) throw new CliError(`${path} is larger than 64 MB.`)
  return text
}

/** @param what the text is of, for the message */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CliError(`${what} is no JSON.`)
  }
}

/** Columns beside each other; those of numbers end together. */
export function table(rows: readonly (readonly string[])[], numbers: readonly number[] = []): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => plain(row[column]).length)))
  const line = (row: readonly string[]) =>
    widths
      .map((width, column) => pad(plain(row[column]), width, numbers.includes(column)))
      .join('  ')
      .trimEnd()
  return `${rows.map(line).join('\n')}\n`
}

function pad(text: string, width: number, isNumber: boolean): string {
  return isNumber ? text.padStart(width) : text.padEnd(width)
}

/** Names are a stranger's text: nothing in them moves the cursor of a terminal. */
export function plain(text = ''): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '�')
}

/** Which prices these are, and how old. */
export function stampText({ version, origin, ageMs }: CatalogStamp): string {
  const days = Math.floor(ageMs / 86_400_000)
  return `Catalog ${plain(version)} (${origin}), ${days === 0 ? 'of today' : days === 1 ? '1 day old' : `${days} days old`}.\n`
}
