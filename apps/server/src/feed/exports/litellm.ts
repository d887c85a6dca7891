import { readLitellmRow } from '../sources/litellm.ts'
import { jsonByKey, type FormInput, type Written } from './form.ts'
import { createFinder, type ExportResource } from './resource.ts'
import { litellmRow, overlayRow } from './litellm-row.ts'

/**
 * LiteLLM's `model_prices_and_context_window.json`, in USD per single unit: its own rows with our prices, limits and
 * capabilities as they are, and rows for what it lacks. Each key is there once.
 */
export function writeLitellm(input: FormInput): Written {
  const { rows, keys: _, ...written } = litellmRows(input)
  return { ...written, rows: rows.size, content: jsonByKey(rows) }
}

export function litellmRows({ resources, upstream, losses }: FormInput): {
  rows: Map<string, object>
  /** The resources that rows are of, by their keys. */
  keys: Map<string, string>
  held: Set<ExportResource>
  upstream: { rows: number; ours: number }
} {
  const find = createFinder(resources, 'litellm')
  const rows = new Map<string, object>()
  const keys = new Map<string, string>()
  const held = new Set<ExportResource>()
  for (const [key, row] of Object.entries((upstream ?? {}) as Record<string, object>)) {
    const back = readLitellmRow(key, row)
    const resource = back === null ? undefined : find(back.resource_id)
    if (back === null || resource === undefined) {
      rows.set(key, row)
      continue
    }
    const laid = overlayRow(key, row, back, resource)
    for (const [loss, what] of laid.losses) losses.add(loss, resource.resource_id, what ?? '')
    rows.set(key, laid.row)
    keys.set(key, resource.resource_id)
    held.add(resource)
  }
  const kept = { rows: rows.size, ours: keys.size }
  for (const resource of resources) {
    if (held.has(resource)) continue
    const { entry, losses: lost } = litellmRow(resource, (key) => rows.has(key))
    for (const [loss, what] of lost) losses.add(loss, resource.resource_id, what ?? '')
    if (entry === null) continue
    rows.set(entry.key, entry.row)
    keys.set(entry.key, resource.resource_id)
    held.add(resource)
  }
  return { rows, keys, held, upstream: kept }
}
