import { adopt, Catalog, findBook } from './book.ts'
import { CatalogError } from './errors.ts'
import type { CatalogOrigin, Snapshot } from './types.ts'

// A catalog that is kept fresh in the background: what comes next takes its place as a whole, and only when it is sound.

/** How a catalog is kept fresh. */
export interface RefreshOptions {
  /** How often it is looked for anew. Default: an hour. 0: only when `refresh()` is called. */
  readonly refreshMs?: number
  /** Told of each refresh that failed. The last good prices go on, and their age shows in every figure. */
  readonly onError?: (error: unknown) => void
}

/** A catalog with a source that it is refreshed from. */
export interface RefreshedCatalog extends Catalog {
  /**
   * Looks for newer prices now. Answers whether they have moved.
   * @throws CatalogError where what came cannot be taken; the last good prices stay
   */
  refresh(): Promise<boolean>
  /** Ends the refreshing in the background. The prices stay. */
  close(): void
}

/** What one look at the source brought; null: nothing has moved. */
type Load = () => Promise<Snapshot | null>

const hourMs = 3_600_000
const timerMsMax = 2 ** 31 - 1
/** So much of a list does not go at once: what is that much shorter is damaged, or another list. */
const shareMin = 0.7

export async function refreshed(
  load: Load,
  origin: CatalogOrigin,
  { refreshMs = hourMs, onError = () => {} }: RefreshOptions,
  fallback?: Catalog,
): Promise<RefreshedCatalog> {
  if (!(refreshMs >= 0))
    throw new TypeError('"refreshMs" is a number of milliseconds, or 0 for no refreshing.')
  const catalog = await loadFirst(load, origin, onError, fallback)
  let running: Promise<boolean> | undefined
  const look = async () => {
    const snapshot = await load()
    return snapshot !== null && take(catalog, snapshot, origin)
  }
  const refresh = () => (running ??= look().finally(() => (running = undefined)))
  const timer =
    refreshMs === 0
      ? undefined
      : setInterval(() => void refresh().catch(onError), Math.min(refreshMs, timerMsMax))
  // A program that is done ends: the timer does not hold it.
  ;(timer as { unref?: () => void } | undefined)?.unref?.()
  const close = () => clearInterval(timer)
  return Object.defineProperties(catalog, {
    refresh: { value: refresh },
    close: { value: close },
  }) as RefreshedCatalog
}

async function loadFirst(
  load: Load,
  origin: CatalogOrigin,
  onError: (error: unknown) => void,
  fallback: Catalog | undefined,
): Promise<Catalog> {
  try {
    const snapshot = await load()
    if (snapshot === null)
      throw new CatalogError('The source answers that nothing has moved, and nothing was there.')
    return new Catalog(snapshot, { origin })
  } catch (error) {
    if (fallback === undefined) throw error
    onError(error)
    // One of its own: the caller's stays as it is.
    const { snapshot, origin: itsOrigin } = findBook(fallback)
    return new Catalog(snapshot, { origin: itsOrigin })
  }
}

/** @throws CatalogError where it is damaged, or another list */
function take(catalog: Catalog, snapshot: Snapshot, origin: CatalogOrigin): boolean {
  const next = new Catalog(snapshot, { origin })
  const [before, now] = [catalog.stamp(), next.stamp()]
  if (before.origin !== now.origin) {
    adopt(catalog, next)
    return true
  }
  if (next.size < catalog.size * shareMin)
    throw new CatalogError(
      `The new snapshot has ${next.size} records, and the one before had ${catalog.size}: it is not taken. If that is right, start anew.`,
    )
  if (Date.parse(now.generatedAt) < Date.parse(before.generatedAt))
    throw new CatalogError('The new snapshot is older than the one that is there: it is not taken.')
  // Also where no price has moved: the look itself makes them younger.
  adopt(catalog, next)
  return before.version !== now.version
}
