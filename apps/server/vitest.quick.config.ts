import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import shared from '../../scripts/vitest.config.ts'

/** The units of all packages that need no PostgreSQL: `pnpm test:quick`, in half a minute. */
export default defineConfig({
  test: {
    ...shared.test,
    root: join(import.meta.dirname, '../..'),
    include: [
      'apps/server/src/{ingest,platform}/**/*.test.ts',
      'packages/{contract,cost,webhooks}/test/**/*.test.ts',
    ],
    // Tens of thousands of cases, or programs that are started.
    exclude: ['**/{properties,house-rules,local-alerts,causes,own-csv}.test.ts'],
    isolate: false,
  },
})
