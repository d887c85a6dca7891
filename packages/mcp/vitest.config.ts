import shared from '../../scripts/vitest.config.ts'

// The other packages by their source, as the build takes them.
export default { ...shared, resolve: { tsconfigPaths: true } }
