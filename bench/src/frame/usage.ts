import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'

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

export interface Holdings {
  /** Most memory in the machine's, in megabytes of 2^20. Null: the process has ended. */
  peakMb: number | null
  /** Most files and connections beyond those it had at the start. NaN where the system does not tell. */
  descriptors: number
}

/** Watches a process from now on. */
export function watchProcess(pid: number): { stop: () => Holdings } {
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
