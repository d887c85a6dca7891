import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import shared from '../../scripts/vitest.config.ts'

// For the workers, and for the programs that they start.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('node_modules/.cache/node-compile-cache', import.meta.url),
)

export default defineConfig({
  test: {
    ...shared.test,
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Attacks, and what takes long: the gate runs them with the proofs.
    exclude: ['**/*.{long,alone}.test.ts', 'test/abuse/**'],
    globalSetup: ['test/support/global-setup.ts'],
    // Each file has a database of its own; servers under test are processes, so more workers than cores only wait.
    maxWorkers: 2,
    // A worker keeps the modules that it has loaded, and takes half the time: what files share is no state. Rows are in
    // databases of their own, and what a test sets (variables, timers) it puts back.
    isolate: false,
  },
})
