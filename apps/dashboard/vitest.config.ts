import { defineConfig } from 'vitest/config'

// Holding every example of the contract against its schema takes six seconds on a busy machine.
export default defineConfig({ test: { include: ['test/**/*.test.ts'], testTimeout: 60_000 } })
