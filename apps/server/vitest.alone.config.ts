import { defineConfig } from 'vitest/config'
import proofs from './vitest.proofs.config.ts'

/** Proofs that bound a time: one after the other, with the machine to themselves. */
export default defineConfig({
  test: {
    ...proofs.test,
    include: ['{proofs,test}/**/*.alone.test.ts'],
    exclude: [],
    fileParallelism: false,
  },
})
