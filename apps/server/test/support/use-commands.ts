import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, vi } from 'vitest'
import { generateSecretsKey } from '../../src/features/webhooks/secret-box.ts'
import type { TestDatabase } from './postgres.ts'
import type { CommandResult } from './process.ts'
import { runHere } from './run-here.ts'

/** The operator's commands in this process, on a database, and a folder for their files. */
export function useCommands(database: TestDatabase) {
  const folder = mkdtempSync(join(tmpdir(), 'ratecard-commands-'))
  const secretsKey = generateSecretsKey()
  afterEach(() => vi.unstubAllEnvs())
  afterAll(() => rmSync(folder, { recursive: true }))

  /** Runs a command. The words of the first argument are apart. Without `FEED_SOURCES` it has no sources. */
  async function run(...words: string[]): Promise<CommandResult> {
    vi.stubEnv('DATABASE_URL', database.url)
    vi.stubEnv('SECRETS_KEY', secretsKey)
    if (process.env.FEED_SOURCES === undefined) vi.stubEnv('FEED_SOURCES', '[]')
    const [command = '', ...values] = words
    return runHere([...command.split(' '), ...values])
  }

  /** Runs a command with --json, which must succeed and print one document and nothing else. */
  async function json(...words: string[]): Promise<unknown> {
    const { exitCode, stdout, stderr } = await run(...words, '--json')
    expect([exitCode, stderr]).toEqual([0, ''])
    return JSON.parse(stdout)
  }

  /** A text is written as it is, and anything else as JSON. */
  async function fileWith(name: string, content: unknown): Promise<string> {
    const file = join(folder, name)
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
    return file
  }

  return { fileWith, folder, json, run }
}
