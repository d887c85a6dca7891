import { defineConfig } from 'vitest/config'

export default defineConfig({
  // The property tests make tens of thousands of cases; on a busy machine that takes a while.
  test: { include: ['test/**/*.test.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
})
