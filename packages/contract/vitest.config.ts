import { defineConfig } from 'vitest/config'

// Each house rule compiles the contract, which takes long on a busy machine.
export default defineConfig({ test: { testTimeout: 300_000, hookTimeout: 300_000 } })
