import { defineConfig } from 'vitest/config'

export default defineConfig({
  // The other packages by their source, as the build takes them.
  resolve: { tsconfigPaths: true },
  test: { include: ['test/**/*.test.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
})
