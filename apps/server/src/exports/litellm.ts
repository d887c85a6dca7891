import { readLitellmRow } from '../ingest/sources/lists/litellm.ts'
import { jsonByKey, type FormInput, type Written } from './form.ts'
import { litellmRow, overlayRow } from './litellm-row.ts'
import { Overlay } from './overlay.ts'

/**
 * LiteLLM's `model_prices_and_context_window.json`, in USD per single unit: its own rows with our prices, limits and
 * capabilities as they are, and rows for what it lacks. Each key is there once.
 */
export function writeLitellm(input: FormInput): Written {
  const { rows, keys: _, ...written } = litellmRows(input)
  return { ...written, rows: rows.size, content: jsonByKey(rows) }
}

export function litellmRows({ resources, upstream: file, losses }: FormInput) {
  const overlay = new Overlay(resources, 'litellm', losses)
  const { held, upstream } = overlay
  const rows = new Map<string, object>()
  /** The resources that rows are of, by their keys. */
  const keys = new Map<string, string>()
  for (const [key, row] of Object.entries((file ?? {}) as Record<string, object>)) {
    const resource = overlay.take(readLitellmRow(key, row))
    rows.set(key, resource === undefined ? row : overlayRow(key, row, resource, losses))
    if (resource !== undefined) keys.set(key, resource.resource_id)
  }
  for (const resource of resources) {
    if (held.has(resource)) continue
    const entry = litellmRow(resource, (key) => rows.has(key), losses)
    if (entry === null) continue
    rows.set(entry.key, entry.row)
    keys.set(entry.key, resource.resource_id)
    held.add(resource)
  }
  return { rows, keys, held, upstream }
}
