import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** What takes too long to run with every test command: `.ci/run` does. */
const config = mergeConfig(base, defineConfig({ test: { testTimeout: 300_000 } }))
config.test!.include = ['proofs/**/*.test.ts']
export default config
