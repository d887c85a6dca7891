import { setTimeout } from 'node:timers/promises'

/**
 * Looks again and again until there is something to see, and returns it. For scripts, too: Vitest's own works inside
 * its runner alone. A look that throws has seen nothing.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  { timeoutMs = 60_000, intervalMs = 20 } = {},
): Promise<NonNullable<T>> {
  const giveUpMs = performance.now() + timeoutMs
  for (;;) {
    let reason: unknown = null
    try {
      const seen = await look()
      if (seen !== null && seen !== undefined && seen !== false) return seen
    } catch (error) {
      reason = error
    }
    if (performance.now() > giveUpMs)
      throw new Error(`${what}: not within ${timeoutMs} ms`, { cause: reason })
    await setTimeout(intervalMs)
  }
}
