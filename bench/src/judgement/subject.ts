import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type * as Connect from '../../../apps/server/src/database/connect.ts'
import type * as Migrate from '../../../apps/server/src/database/migrate.ts'
import type * as Due from '../../../apps/server/src/feed/due.ts'
import type * as Review from '../../../apps/server/src/feed/review.ts'
import type * as RunFeed from '../../../apps/server/src/feed/run-feed.ts'

// The judgement that is measured: this repository's, or that of another checkout with its own schema. What the files
// say is always read by this repository's code, so that all versions are asked about the same rows.

const ours = fileURLToPath(new URL('../../../', import.meta.url))

export type Subject = Awaited<ReturnType<typeof openSubject>>

/** @param folder the root of an installed checkout; default: this one */
export async function openSubject(folder = ours) {
  const root = resolve(folder)
  const load = <Module>(file: string) =>
    import(pathToFileURL(join(root, 'apps/server/src', file)).href) as Promise<Module>
  const [{ connect }, { migrate }, { runFeed, repeatRun }, { runDue }] = await Promise.all([
    load<typeof Connect>('database/connect.ts'),
    load<typeof Migrate>('database/migrate.ts'),
    load<typeof RunFeed>('feed/run-feed.ts'),
    load<typeof Due>('feed/due.ts'),
  ])
  return {
    connect,
    migrate,
    runFeed,
    repeatRun,
    runDue,
    loadReview: () => load<typeof Review>('feed/review.ts'),
  }
}
