export { default } from '../../scripts/vitest.config.ts'
