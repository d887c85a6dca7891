import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { findCaller } from '../../src/features/entitlements/caller-store.ts'
import type { TestDatabase } from './postgres.ts'
import { ratecard, type CommandResult } from './process.ts'

// What the tests of the operator's commands share.

export const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/
export const inTime = { timeout: 60_000, interval: 50 }

export interface Named {
  id: string
  name: string
}
export interface KeyDocument extends Named {
  key: string
  revoked_at: string | null
}
export interface UsageDocument {
  keys: { daily_quota: { used: number } }[]
}
export interface PackDocument {
  units: number
  purchased_at: string
  expires_at: string
}
export interface ImportDocument {
  added: number
  unchanged: number
  rejected: number
}
export interface PriceDocument {
  id: string
  resource_id: string
  vendor: string
  updated_at: string
}

/** Commands as processes of their own, on this database, and a folder for their files. */
export function useCommands(database: TestDatabase) {
  const folder = mkdtempSync(join(tmpdir(), 'ratecard-commands-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  function env(): Record<string, string> {
    return { DATABASE_URL: database.url }
  }

  async function run(args: readonly string[]): Promise<CommandResult> {
    const result = await ratecard(args, env())
    const { password } = new URL(database.url)
    if (password !== '') expect(result.stdout + result.stderr).not.toContain(password)
    return result
  }

  /** Runs a command with --json, which must succeed and print one document and nothing else. */
  async function runJson(args: readonly string[]): Promise<unknown> {
    const { exitCode, stdout, stderr } = await run([...args, '--json'])
    expect([exitCode, stderr]).toEqual([0, ''])
    return JSON.parse(stdout)
  }

  async function fileWith(name: string, json: unknown): Promise<string> {
    const file = join(folder, name)
    await writeFile(file, JSON.stringify(json))
    return file
  }

  async function isAccepted(key: string): Promise<boolean> {
    return (await findCaller(database.db, key)) !== undefined
  }

  return { env, fileWith, folder, isAccepted, run, runJson }
}

export function done(stdout: string): CommandResult {
  return { exitCode: 0, stdout, stderr: '' }
}

/** Failed with a message and an empty stdout. */
export function failed(message: RegExp): CommandResult {
  return { exitCode: 1, stdout: '', stderr: expect.stringMatching(message) as string }
}
