import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../../scripts/packages/programs.ts'
import { packAll } from '../../../scripts/packages/published.ts'
import { say } from '../figures.ts'
import { peers, type Peer } from './peers.ts'

/** A folder in which npm has installed one package and nothing else. */
export interface Room {
  peer: Peer
  folder: string
  version: string
  /** Of all files below `node_modules`, with what the package brings along. */
  bytes: number
  files: number
  packagesAdded: number
}

/** Ours as they would be published, the others as the registry has them at its newest. */
export async function installEach(folder: string): Promise<Room[]> {
  // A folder of its own: from one above the rooms, Node would find the packages of others.
  const packed = join(folder, 'packed')
  await mkdir(packed)
  const tarballs = new Map((await packAll(packed)).map(({ manifest, tarball }) => [manifest.name, tarball]))
  const rooms: Room[] = []
  for (const peer of peers) {
    const room = join(folder, 'rooms', peer.name.replace('/', '-'))
    await mkdir(room, { recursive: true })
    await writeFile(join(room, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
    const what = tarballs.get(peer.name) ?? `${peer.name}@latest`
    await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', what], { cwd: room })
    rooms.push({ peer, folder: room, ...(await contentsOf(room, peer.name)) })
    say(`  ${peer.name} ${rooms.at(-1)?.version} is installed`)
  }
  return rooms
}

export async function reachesRegistry(): Promise<boolean> {
  try {
    await run('npm', ['view', 'openai', 'version', '--fetch-retries=0', '--prefer-online'], { cwd: tmpdir() })
    return true
  } catch {
    return false
  }
}

async function contentsOf(room: string, name: string) {
  const modules = join(room, 'node_modules')
  const entries = await readdir(modules, { recursive: true, withFileTypes: true })
  // Links are npm's short names for programs, and its own list is no part of a package.
  const files = entries.filter((entry) => entry.isFile() && entry.name !== '.package-lock.json')
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  )
  const installed = await readJson<{ packages: object }>(join(modules, '.package-lock.json'))
  const { version } = await readJson<{ version: string }>(join(modules, name, 'package.json'))
  return {
    version,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    files: files.length,
    packagesAdded: Object.keys(installed.packages).length - 1,
  }
}

async function readJson<Content>(file: string): Promise<Content> {
  return JSON.parse(await readFile(file, 'utf8')) as Content
}
