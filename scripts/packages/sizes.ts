import { checked, type Finding } from './findings.ts'
import { run } from './programs.ts'
import { repository } from './published.ts'

/** What a browser's bundler makes of the packages, minified and gzipped, within the limits of `size-limit.config.ts`. */
export async function bundleSizes(): Promise<Finding> {
  const words = ['node_modules/size-limit/bin.js', '--config', 'scripts/size-limit.config.ts']
  const problems = await run(process.execPath, words, { cwd: repository }).then(
    () => [],
    (error: Error) => [error.message],
  )
  return checked('bundles are small (size-limit)', 'minified, gzipped', problems)
}
