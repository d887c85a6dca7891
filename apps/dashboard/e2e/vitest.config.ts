import { defineConfig } from 'vitest/config'

/** Frames and milliseconds are measured here: these files have the machine to themselves. */
const timed = ['keys.test.ts', 'prices.test.ts']

const shared = {
  root: import.meta.dirname,
  globalSetup: ['global-setup.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
}

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'pages',
          include: ['*.test.ts'],
          exclude: timed,
          // Each file has a server, a database and a browser of its own.
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'timed',
          include: timed,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
