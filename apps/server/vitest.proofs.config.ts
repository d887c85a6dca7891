import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'
import { longestFirst, longestProofs } from './test/support/longest-first.ts'

/** What takes too long to run with every test command: `.ci/run` does. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['proofs/**/*.test.ts', 'test/abuse/**/*.test.ts', 'test/**/*.long.test.ts'],
    exclude: ['**/*.alone.test.ts'],
    sequence: { sequencer: longestFirst(import.meta.dirname, longestProofs) },
    // They hold out against attacks and kills, and what one leaves in its process is not the next one's.
    isolate: true,
    // They wait more than they work.
    maxWorkers: 3,
  },
})
