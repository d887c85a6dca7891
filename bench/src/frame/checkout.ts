import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type * as Connect from '../../../apps/server/src/database/connect.ts'
import type * as Migrate from '../../../apps/server/src/database/migrate.ts'

// The code that is measured: this repository, or another checkout of it. Its database is migrated and filled by its own
// code: an older version finds the schema that it knows.

const ours = fileURLToPath(new URL('../../../', import.meta.url))

export type Checkout = Awaited<ReturnType<typeof openCheckout>>

export const checkoutOptions = {
  server: ['the root of another checkout, installed: it is measured', ''],
  label: ["the version's name in the tables; published results of another name stay beside it", 'now'],
} as const

/** @param folder the root of an installed checkout; empty: this one */
export async function openCheckout(folder = '') {
  const root = resolve(folder || ours)
  const load = <Module>(file: string) =>
    import(pathToFileURL(join(root, 'apps/server/src', file)).href) as Promise<Module>
  const { connect } = await load<typeof Connect>('database/connect.ts')
  const { migrate } = await load<typeof Migrate>('database/migrate.ts')
  return { program: join(root, 'apps/server/bin/ratecard.js'), load, connect, migrate }
}
