import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type * as Accounts from '../../../apps/server/src/features/accounts/account-store.ts'
import type * as ApiKeys from '../../../apps/server/src/features/accounts/api-key-store.ts'
import type * as Connect from '../../../apps/server/src/database/connect.ts'
import type * as Members from '../../../apps/server/src/features/members/member-store.ts'
import type * as Migrate from '../../../apps/server/src/database/migrate.ts'
import type * as Subscriptions from '../../../apps/server/src/features/entitlements/subscription-store.ts'
import type * as Users from '../../../apps/server/src/features/members/user-store.ts'

// The code that is measured: this repository, or another checkout of it. Its database is migrated and filled by its own
// code: an older version finds the schema that it knows.

const ours = fileURLToPath(new URL('../../../', import.meta.url))

export type Checkout = Awaited<ReturnType<typeof openCheckout>>

export async function openCheckout(folder = ours) {
  const root = resolve(folder)
  const load = <Module>(file: string) =>
    import(pathToFileURL(join(root, 'apps/server/src', file)).href) as Promise<Module>
  const [database, migrations, accounts, keys, subscriptions, users, members] = await Promise.all([
    load<typeof Connect>('database/connect.ts'),
    load<typeof Migrate>('database/migrate.ts'),
    load<typeof Accounts>('features/accounts/account-store.ts'),
    load<typeof ApiKeys>('features/accounts/api-key-store.ts'),
    load<typeof Subscriptions>('features/entitlements/subscription-store.ts'),
    load<typeof Users>('features/members/user-store.ts'),
    load<typeof Members>('features/members/member-store.ts'),
  ])
  return {
    program: join(root, 'apps/server/bin/ratecard.js'),
    ...{ ...database, ...migrations, ...accounts, ...keys, ...subscriptions, ...users, ...members },
  }
}
