import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { run } from '../../../scripts/packages/programs.ts'
import { packAll } from '../../../scripts/packages/published.ts'
import { say, sumOf } from '../frame/figures.ts'
import { shuffled } from '../frame/random.ts'
import { peers } from './peers.ts'

/** A folder in which npm has installed one package and nothing else, and what is in it. */
export type Room = Awaited<ReturnType<typeof installEach>>[number]

/** Ours as they would be published, the others as the registry has them at its newest. */
export async function installEach(folder: string) {
  // A folder of its own: from one above the rooms, Node would find the packages of others.
  const packed = join(folder, 'packed')
  await mkdir(packed)
  const tarballs = new Map((await packAll(packed)).map(({ manifest, tarball }) => [manifest.name, tarball]))
  const rooms = []
  for (const peer of peers) {
    const room = join(folder, 'rooms', peer.name.replace('/', '-'))
    await mkdir(room, { recursive: true })
    await writeFile(join(room, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
    const what = tarballs.get(peer.name) ?? `${peer.name}@latest`
    await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', what], { cwd: room })
    const contents = await contentsOf(room, peer.name)
    rooms.push({ peer, folder: room, ...contents })
    say(`  ${peer.name} ${contents.version} is installed`)
  }
  return rooms
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

const tellCpu = 'const { user, system } = process.cpuUsage(); console.log((user + system) / 1000)'

/** CPU milliseconds that an import adds to a process that does nothing else, round by round. */
export async function timeImports(rooms: readonly Room[], rounds: number) {
  const bareMs: number[] = []
  const addedMs = new Map<Room, number[]>(rooms.map((room) => [room, []]))
  // The round before the first fills the system's cache of files.
  for (let round = -1; round < rounds; round += 1) {
    const tookMs = new Map<Room | null, number>()
    for (const room of shuffled([null, ...rooms])) tookMs.set(room, await timeProcess(room))
    if (round === -1) continue
    bareMs.push(tookMs.get(null)!)
    for (const room of rooms) addedMs.get(room)!.push(tookMs.get(room)! - tookMs.get(null)!)
  }
  return { bareMs, addedMs }
}

/**
 * CPU milliseconds of a whole process, of all its threads: what else the machine does moves them least.
 * @param room null: nothing is imported
 */
async function timeProcess(room: Room | null): Promise<number> {
  const code = `${room ? `await import('${room.peer.name}'); ` : ''}${tellCpu}`
  const cwd = room?.folder ?? tmpdir()
  return Number(await run(process.execPath, ['--input-type=module', '-e', code], { cwd }))
}

/** The size of a program as a browser gets it, gzipped. */
export async function bundledBytes(program: string, folder: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: folder },
    absWorkingDir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  })
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).byteLength
}
