import { mkdir, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readManifest, type Manifest } from './manifest.ts'
import { run } from './programs.ts'

export const repository = fileURLToPath(new URL('../../', import.meta.url))

/** A package as npm would deliver it. */
export interface PublishedPackage {
  /** Its folder in this repository. */
  source: string
  tarball: string
  /** Where the tarball is unpacked. A link in `node_modules` beside it lets imports find it by name. */
  unpacked: string
  manifest: Manifest
}

const publishedFolders = ['cost', 'mcp', 'sdk', 'webhooks'].map((name) => join(repository, 'packages', name))

/** Builds and packs every published package into this folder. */
export function packAll(folder: string): Promise<PublishedPackage[]> {
  return Promise.all(publishedFolders.map((source) => pack(source, folder)))
}

async function pack(source: string, folder: string): Promise<PublishedPackage> {
  // `prepack` builds. pnpm packs, because publishing goes through it too.
  await run('npx', ['-y', 'pnpm@12', 'pack', '--pack-destination', folder], { cwd: source })
  const { name, version } = await readManifest(source)
  const tarball = join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
  const unpacked = join(folder, basename(source))
  await mkdir(unpacked)
  await run('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components', '1'], { cwd: folder })
  const link = join(folder, 'node_modules', name)
  await mkdir(dirname(link), { recursive: true })
  await symlink(unpacked, link)
  return { source, tarball, unpacked, manifest: await readManifest(unpacked) }
}
