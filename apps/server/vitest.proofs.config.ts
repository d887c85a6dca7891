import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'
import { longestFirst } from './test/support/longest-first.ts'

/** More than two minutes each, where two cores are busy. */
const longest = [
  'proofs/feed-orders.test.ts',
  'proofs/states.test.ts',
  'test/embedded.long.test.ts',
  'proofs/alert-crash.test.ts',
  'proofs/feed-crash.test.ts',
  'proofs/account-move.test.ts',
  'proofs/cells.test.ts',
  'proofs/cells-engines.test.ts',
  'test/backup.long.test.ts',
  'proofs/other-schema.test.ts',
  'test/abuse/embedded-files.long.test.ts',
  'test/commands-accounts.long.test.ts',
  'proofs/feed-replay.test.ts',
  'proofs/upgrade.test.ts',
  'test/feed-schedule.long.test.ts',
  'proofs/operations-walk.test.ts',
  'proofs/replica.test.ts',
]

/** What takes too long to run with every test command: `.ci/run` does. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['proofs/**/*.test.ts', 'test/abuse/**/*.test.ts', 'test/**/*.long.test.ts'],
    exclude: ['**/*.alone.test.ts'],
    sequence: { sequencer: longestFirst(import.meta.dirname, longest) },
    // They hold out against attacks and kills, and what one leaves in its process is not the next one's.
    isolate: true,
    // They wait more than they work.
    maxWorkers: 3,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
