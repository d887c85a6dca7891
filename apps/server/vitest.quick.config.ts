import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** The units of all packages that need no PostgreSQL: `pnpm test:quick`, in half a minute. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    include: [
      'apps/server/src/{ingest,platform}/**/*.test.ts',
      'packages/{contract,cost,webhooks}/test/**/*.test.ts',
    ],
    // Tens of thousands of cases, or programs that are started.
    exclude: ['**/{properties,house-rules,local-alerts,causes,own-csv}.test.ts'],
    setupFiles: ['scripts/same-cases.ts'],
    isolate: false,
    testTimeout: 300_000,
  },
})
