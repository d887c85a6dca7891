import { readFileSync } from 'node:fs'
import { packageRoot } from './paths.ts'

let version: string | undefined

/** The version of the server package. */
export function readVersion(): string {
  version ??= (JSON.parse(readFileSync(`${packageRoot}package.json`, 'utf8')) as { version: string }).version
  return version
}
