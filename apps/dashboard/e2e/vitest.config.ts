import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { longestFirst } from '../../server/test/support/longest-first.ts'

// For the workers, and for the products that they start.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('../node_modules/.cache/node-compile-cache', import.meta.url),
)

/** Frames and milliseconds are measured here: these files have the machine to themselves. */
const timed = ['keys.test.ts', 'lighthouse.test.ts']

/** More than a minute each. */
const longest = [
  'accessibility.test.ts',
  'makes.test.ts',
  'public-pages.test.ts',
  'defects-more.test.ts',
  'review.test.ts',
]

export default defineConfig({
  test: {
    root: import.meta.dirname,
    sequence: { sequencer: longestFirst(import.meta.dirname, longest) },
    globalSetup: ['global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Several requests one after the other take more than the usual second where two browsers share two cores.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        // Each file has a server, a database and a browser of its own.
        test: {
          name: 'pages',
          include: ['*.test.ts'],
          exclude: timed,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'timed', include: timed, fileParallelism: false, sequence: { groupOrder: 1 } },
      },
    ],
  },
})
