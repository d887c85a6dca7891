import { defineConfig } from 'vitest/config'

// Compiling a snippet takes six seconds on a busy machine.
export default defineConfig({
  test: { include: ['test/**/*.test.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
})
