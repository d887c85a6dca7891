import type { Snapshot } from '../snapshot/read-snapshot.ts'
import { litellmRow, type Loss } from './row.ts'

/** How often each kind of thing could not be written. */
export type Losses = Map<Loss, number>

/**
 * The snapshot as LiteLLM's `model_prices_and_context_window.json`: prices in USD per token by model, each key once. What
 * the format cannot hold is counted in `losses`.
 */
export async function* litellmMap({ batches }: Snapshot, losses: Losses): AsyncGenerator<string> {
  const keys = new Set<string>()
  yield '{'
  for await (const resources of batches) {
    let lines = ''
    for (const resource of resources) {
      const { entry, losses: lost } = litellmRow(resource, (key) => keys.has(key))
      for (const loss of lost) losses.set(loss, (losses.get(loss) ?? 0) + 1)
      if (entry === null) continue
      lines += `${keys.size === 0 ? '' : ','}\n  ${JSON.stringify(entry.key)}: ${JSON.stringify(entry.row)}`
      keys.add(entry.key)
    }
    yield lines
  }
  yield '\n}\n'
}
