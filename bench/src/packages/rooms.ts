import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../../scripts/packages/programs.ts'
import { packAll } from '../../../scripts/packages/published.ts'
import { say, sumOf } from '../frame/figures.ts'
import { shuffled } from '../frame/random.ts'
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
    say(`  ${peer.name} ${rooms.at(-1)!.version} is installed`)
  }
  return rooms
}

export async function reachesRegistry(): Promise<boolean> {
  const words = ['view', 'openai', 'version', '--fetch-retries=0', '--prefer-online']
  return run('npm', words, { cwd: tmpdir() }).then(
    () => true,
    () => false,
  )
}

async function contentsOf(room: string, name: string) {
  const modules = join(room, 'node_modules')
  const entries = await readdir(modules, { recursive: true, withFileTypes: true })
  // Links are npm's short names for programs, and its own list is no part of a package.
  const files = entries.filter((entry) => entry.isFile() && entry.name !== '.package-lock.json')
  const sizes = await Promise.all(files.map((file) => stat(join(file.parentPath, file.name))))
  const installed = await readJson<{ packages: object }>(join(modules, '.package-lock.json'))
  const { version } = await readJson<{ version: string }>(join(modules, name, 'package.json'))
  const bytes = sumOf(sizes.map(({ size }) => size))
  return { version, bytes, files: files.length, packagesAdded: Object.keys(installed.packages).length - 1 }
}

async function readJson<Content>(file: string): Promise<Content> {
  return JSON.parse(await readFile(file, 'utf8')) as Content
}

/** Milliseconds of a whole process. */
export interface ProcessTime {
  elapsedMs: number
  /** Of all its threads: what else the machine does moves it least. */
  cpuMs: number
}

const tellCpu = 'const { user, system } = process.cpuUsage(); console.log((user + system) / 1000)'

/** What an import adds to the time of a process that does nothing else, round by round. */
export async function timeImports(rooms: readonly Room[], rounds: number) {
  const bare: ProcessTime[] = []
  const added = new Map<Room, ProcessTime[]>(rooms.map((room) => [room, []]))
  // The round before the first fills the system's cache of files.
  for (let round = -1; round < rounds; round += 1) {
    const took = new Map<Room | null, ProcessTime>()
    for (const room of shuffled([null, ...rooms])) took.set(room, await timeProcess(room))
    const ofBare = took.get(null)!
    if (round === -1) continue
    bare.push(ofBare)
    for (const room of rooms) {
      const { elapsedMs, cpuMs } = took.get(room)!
      added.get(room)!.push({ elapsedMs: elapsedMs - ofBare.elapsedMs, cpuMs: cpuMs - ofBare.cpuMs })
    }
  }
  return { bare, added }
}

/** @param room null: nothing is imported */
async function timeProcess(room: Room | null): Promise<ProcessTime> {
  const code = `${room ? `await import('${room.peer.name}'); ` : ''}${tellCpu}`
  const startMs = performance.now()
  const cwd = room?.folder ?? tmpdir()
  const cpuText = await run(process.execPath, ['--input-type=module', '-e', code], { cwd })
  return { elapsedMs: performance.now() - startMs, cpuMs: Number(cpuText) }
}
