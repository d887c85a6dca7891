import { join } from 'node:path'

/** The packages' tests. A limit only ends what hangs: on a busy machine a test may take minutes. */
export default {
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: [join(import.meta.dirname, 'same-cases.ts')],
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
}
