import { readFile, stat } from 'node:fs/promises'
import { parsed } from './book.ts'
import { CatalogError } from './errors.ts'
import { refreshed, type RefreshedCatalog, type RefreshOptions } from './refresh.ts'

export type { RefreshedCatalog, RefreshOptions } from './refresh.ts'

/**
 * A catalog from a file that `ratecard prices export --out` writes. When the file is replaced, the new one is taken in the
 * background; one that is damaged is not.
 *
 * @throws CatalogError where the file is no snapshot
 */
export function catalogFromFile(path: string | URL, options: RefreshOptions = {}): Promise<RefreshedCatalog> {
  let seen = ''
  const load = async () => {
    const failed = (cause: unknown) => {
      throw new CatalogError(`${String(path)} cannot be read.`, { cause })
    }
    const { mtimeMs, size, ino } = await stat(path).catch(failed)
    const mark = `${mtimeMs} ${size} ${ino}`
    if (mark === seen) return null
    const snapshot = parsed(await readFile(path, 'utf8').catch(failed))
    seen = mark
    return snapshot
  }
  return refreshed(load, 'file', { refreshMs: minuteMs, ...options })
}

const minuteMs = 60_000
