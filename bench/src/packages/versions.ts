import { readFileSync } from 'node:fs'

/** Of packages that this one depends on. */
export function installedVersions(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => {
      const manifest = new URL(`../../node_modules/${name}/package.json`, import.meta.url)
      const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
      return [name, version]
    }),
  )
}
