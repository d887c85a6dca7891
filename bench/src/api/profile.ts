import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { say, sumOf, type Table } from '../frame/figures.ts'
import { runCommand, startServer } from '../frame/processes.ts'
import { measure, type Setup } from './measure.ts'
import { ours, pagePath } from './served-pages.ts'

// Where the time of a served page goes, as Node's own profiler sees it.

interface CpuProfile {
  nodes: { id: number; callFrame: CallFrame }[]
  endTime: number
  samples: number[]
  timeDeltas: number[]
}

interface CallFrame {
  functionName: string
  url: string
  lineNumber: number
}

const shownRows = 20
const nameLengthMax = 60

export async function profileServedPages({ cluster, load, effort }: Setup): Promise<Table[]> {
  await using database = await cluster.openDatabase('profile')
  await runCommand(['prices', 'import', '--source', 'genai-prices'], database.connectionString)
  const folder = join(cluster.folder, 'profile')
  const server = await startServer(ours, {
    connectionString: database.connectionString,
    logFile: join(cluster.folder, 'profile.log'),
    nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${folder}`],
  })
  say('Profile: one hot key')
  const subject = { serving: server, countUnits: database.countedUnits, checkSample: () => undefined }
  const { connections, warmUpMs, roundMs } = effort
  const job = { connections, paths: [pagePath], keys: database.keys.slice(0, 1), once: false }
  await measure(load, subject, cluster.pid, { ...job, durationMs: warmUpMs })
  const { serverMicros } = await measure(load, subject, cluster.pid, { ...job, durationMs: 3 * roundMs })
  await server.stop()
  const [file] = await readdir(folder)
  if (file === undefined) throw new Error('The server left no profile.')
  const profile = JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile
  const self = selfMicros(profile, 3 * roundMs * 1_000)
  const title = `Where the time of a served page goes (${Math.round(serverMicros)} µs, profiled)`
  return [sharesTable(title, self, groupOf), sharesTable('The same by function', self, functionOf)]
}

type SelfTime = readonly [frame: CallFrame, micros: number]

/** Time in each location, its callees left out, over the last part: the start of the program is not of interest. */
function selfMicros({ nodes, endTime, samples, timeDeltas }: CpuProfile, lastMicros: number): SelfTime[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const self: SelfTime[] = []
  let time = endTime
  for (let index = samples.length - 1; index >= 0 && time > endTime - lastMicros; index -= 1) {
    const micros = timeDeltas[index]!
    time -= micros
    const frame = frames.get(samples[index]!)!
    if (frame.functionName !== '(idle)') self.push([frame, micros])
  }
  return self
}

function sharesTable(title: string, self: readonly SelfTime[], nameOf: (frame: CallFrame) => string): Table {
  const micros = ([, one]: SelfTime) => one
  const byName = [...Map.groupBy(self, ([frame]) => nameOf(frame))]
  const sums = byName.map(([name, all]) => [name, sumOf(all.map(micros))] as const)
  const total = sumOf(self.map(micros))
  return {
    title,
    head: ['', 'share of CPU'],
    rows: sums
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, shownRows)
      .map(([name, sum]) => [name, `${((100 * sum) / total).toFixed(1)} %`]),
  }
}

function groupOf({ functionName, url }: CallFrame): string {
  if (functionName === '(garbage collector)') return 'garbage collection'
  if (functionName === '(program)') return 'native code'
  if (functionName.startsWith('RegExp: ')) return 'regular expressions'
  // Code that the validator has made from schemas.
  if (url === '') return /^validate\d+$/.test(functionName) ? 'ajv' : 'built-in functions and system calls'
  if (/^node:(_http|internal\/http)/.test(url)) return 'node:http'
  if (/^node:(net|internal\/(stream|net)|.*stream)/.test(url)) return 'node:net and streams'
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/')
  const packageName = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
  if (packageName !== undefined) return packageName
  const folder = /apps\/server\/src\/((?:features\/)?[^/]+)/.exec(url)?.[1]
  return folder === undefined ? 'other' : `Ratecard: ${folder}`
}

function functionOf({ functionName, url, lineNumber }: CallFrame): string {
  if (url === '') return functionName.slice(0, nameLengthMax) || '(unnamed)'
  const location = url.replace(/^.*(node_modules|apps\/server\/src)\//, '')
  return `${functionName || '(anonymous)'} (${location}:${lineNumber + 1})`
}
