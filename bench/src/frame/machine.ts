import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem, type } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

export type Machine = ReturnType<typeof describeMachine>

/** Where and with what something is measured. */
export function describeMachine(versions: Record<string, string> = {}) {
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    versions: { node: process.versions.node, ...versions },
  }
}

export function machineText({ date, processor, cores, memoryGb, system, versions }: Machine): string {
  const installed = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return `${date}, ${cores} cores of ${processor}, ${memoryGb} GB, ${system}; ${installed.join(', ')}.`
}

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

/** The share of all processors' time in which nobody used them, over two seconds; NaN where the system does not say. */
export async function idleShare(): Promise<number> {
  const before = readTicks()
  await sleep(2_000)
  const after = readTicks()
  return (after.idle - before.idle) / (after.all - before.all)
}

/** Processor time of all cores since the machine started, in hundredths of a second: proc_stat(5). */
function readTicks(): { all: number; idle: number } {
  const [line = ''] = read('/proc/stat').split('\n', 1)
  const [, ...ticks] = line.split(/\s+/).map(Number)
  // The last two are counted within the first two.
  const all = ticks.slice(0, 8).reduce((sum, some) => sum + some, 0)
  return { all, idle: ticks[3] ?? 0 }
}

// What a process has used of the machine, as Linux counts it. Elsewhere nothing is known: NaN.

/** Ticks of the clock that /proc counts in, the same on every Linux that Node runs on. */
const microsPerTick = 10_000
const kbPerMb = 1_024
const sampleMs = 250

/** CPU time of a process, in microseconds. */
export function cpuMicrosOf(pid: number): number {
  return (statOf(pid)?.own ?? NaN) * microsPerTick
}

/** CPU time of a process and all that it has started, those included that have ended. */
export function treeCpuMicrosOf(pid: number): number {
  const root = statOf(pid)
  if (!root) return NaN
  let ticks = root.own + root.ended
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null
    if (stat?.parent === pid) ticks += stat.own + stat.ended
  }
  return ticks * microsPerTick
}

/** Memory of a process that is in the machine's, now or at most, in megabytes of 2^20. */
export function memoryMbOf(pid: number, which: 'VmRSS' | 'VmHWM'): number {
  const line = new RegExp(`^${which}:\\s*(\\d+) kB`, 'm').exec(read(`/proc/${pid}/status`))
  return Number(line?.[1] ?? NaN) / kbPerMb
}

/** CPU ticks of the process itself, and of its children that have ended; null: it has just ended itself. */
function statOf(pid: number): { parent: number; own: number; ended: number } | null {
  const text = read(`/proc/${pid}/stat`)
  // The second field is the name, in brackets, and may hold anything.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15)
  return text === '' ? null : { parent: fields[1]!, own: user + system, ended: endedUser + endedSystem }
}

/**
 * Watches a process from now on: its most memory in the machine's, in megabytes of 2^20 (null: it has ended), and its most
 * files and connections beyond those it has now (NaN where the system does not tell).
 */
export function watchProcess(pid: number) {
  // Forgets the most memory that it had so far.
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const before = descriptorsOf(pid)
  let most = before
  const timer = setInterval(() => (most = Math.max(most, descriptorsOf(pid))), sampleMs)
  return {
    stop: () => {
      clearInterval(timer)
      const peakMb = memoryMbOf(pid, 'VmHWM')
      return { peakMb: Number.isNaN(peakMb) ? null : peakMb, descriptors: most - before }
    },
  }
}

function descriptorsOf(pid: number): number {
  try {
    // Linux since 6.2 says the number in the folder's size.
    return statSync(`/proc/${pid}/fd`).size || readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return NaN
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
