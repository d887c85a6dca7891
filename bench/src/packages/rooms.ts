import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { existsSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { createServer } from 'node:http'
import { build } from 'esbuild'
import { listen, run } from '../../../scripts/packages/programs.ts'
import { packAll } from '../../../scripts/packages/published.ts'
import { byName, printed } from '../../../scripts/packages/uncaught.ts'
import { say, sumOf } from '../frame/figures.ts'
import { shuffled } from '../frame/random.ts'
import { peers, type Program } from './peers.ts'

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

type ProcessTime = Awaited<ReturnType<typeof timeProcess>>

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

/**
 * Milliseconds of a whole process, and of the CPU of all its threads: what else the machine does moves these least.
 * @param room null: nothing is imported
 */
async function timeProcess(room: Room | null) {
  const code = `${room ? `await import('${room.peer.name}'); ` : ''}${tellCpu}`
  const startMs = performance.now()
  const cwd = room?.folder ?? tmpdir()
  const cpuText = await run(process.execPath, ['--input-type=module', '-e', code], { cwd })
  return { elapsedMs: performance.now() - startMs, cpuMs: Number(cpuText) }
}

/** The size of a program as a browser gets it, and the share of its code that leads to its source: 0 to 1, by bytes. */
export async function bundle({ create }: Program, folder: string) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: create, resolveDir: folder },
    absWorkingDir: folder,
    bundle: true,
    minify: true,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    outdir: 'bundle',
    write: false,
    logLevel: 'silent',
  })
  const [output] = Object.values(metafile.outputs)
  let [bytes, bytesWithSource] = [0, 0]
  for (const [file, { bytesInOutput }] of Object.entries(output?.inputs ?? {})) {
    if (file === '<stdin>') continue
    bytes += bytesInOutput
    if (await leadsToSource(resolve(folder, file))) bytesWithSource += bytesInOutput
  }
  return {
    gzippedBytes: gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).byteLength,
    sourceShare: bytesWithSource / bytes,
  }
}

interface SourceMap {
  sourceRoot?: string
  sources: string[]
  sourcesContent?: (string | null)[]
}

/** Whether the file names a map, and the text of every source is in the map or in the package. */
export async function leadsToSource(file: string): Promise<boolean> {
  const code = await readFile(file, 'utf8').catch(() => '')
  const link = [...code.matchAll(/\/\/# sourceMappingURL=(\S+)/g)].at(-1)?.[1]
  const map = resolve(dirname(file), link ?? '')
  if (link === undefined || !existsSync(map)) return false
  const { sourceRoot = '', sources, sourcesContent } = JSON.parse(await readFile(map, 'utf8')) as SourceMap
  return sources.every(
    (source, index) =>
      typeof sourcesContent?.[index] === 'string' || existsSync(resolve(dirname(map), sourceRoot, source)),
  )
}

/**
 * Runs the program, which lets an error pass, against a server that refuses every request. Answers how much it prints, and
 * whether a frame of the stack is the line of the call; or what it does instead where it throws nothing.
 */
export async function failUncaught({ create, fail }: Program, folder: string, name: string) {
  if ('never' in fail) return fail.never
  const { call, says, refusal } = fail
  const file = `${name}.js`
  await writeFile(join(folder, file), `${create}\n${call}\n`)
  const callLine = create.split('\n').length + 1
  const server = createServer((_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json', 'x-request-id': 'req_1' })
    response.end(JSON.stringify(refusal))
  })
  using listening = await listen(server, byName)
  const env = { API_KEY: 'rc_live_0123456789abcdefghij', BASE_URL: listening.origin }
  const { stderr } = await printed(process.execPath, [join(folder, file)], env)
  const text = stderr.replaceAll(folder, '/app')
  // Another mistake would be measured else.
  if (!says.test(text)) throw new Error(`${folder}/${file} does not end with ${says.source}:\n${stderr}`)
  return { bytes: Buffer.byteLength(text), namesCall: text.includes(`/app/${file}:${callLine}:`) }
}
