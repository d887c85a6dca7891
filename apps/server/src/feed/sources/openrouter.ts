import type { SourceReading } from '../source-record.ts'
import { readHostList } from './hosts/host-list.ts'
import { openrouterList } from './hosts/provider-form.ts'

/** OpenRouter's answer at /api/v1/models. */
export function readOpenRouter(json: unknown, now: Date = new Date()): SourceReading {
  return readHostList(openrouterList, json, now)
}
