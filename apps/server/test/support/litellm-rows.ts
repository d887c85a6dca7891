import { expect } from 'vitest'
import type { SourceRecord } from '../../src/ingest/source-record.ts'
import { readLitellm } from '../../src/ingest/sources/lists/litellm.ts'

/** A row in LiteLLM's format, as its simplest rows are. The tests add one trap of the format each. */
export const chat = {
  litellm_provider: 'openai',
  mode: 'chat',
  input_cost_per_token: 2e-7,
  output_cost_per_token: 8e-7,
}

/** The record of a row that must be taken. */
export function recordOf(key: string, row: Record<string, unknown>): SourceRecord {
  const { records, rejected } = readLitellm({ [key]: row })
  expect(rejected).toEqual([])
  const [record] = records
  if (!record) throw new Error('no record')
  return record
}

/** Why a row is refused; undefined: it is not. */
export function reasonOf(key: string, row: unknown): string | undefined {
  return readLitellm({ other: chat, [key]: row }).rejected.find(({ id }) => id === key)?.reason
}
