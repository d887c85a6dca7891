import { readdirSync, readFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'

// What a process has used of the machine so far, as the system counts it.

/** Ticks of the clock that /proc counts in, the same on every Linux that Node runs on. */
const microsPerTick = 10_000

/** CPU time of a process, in microseconds. */
export function cpuMicrosOf(pid: number): number {
  if (process.platform !== 'linux') return psCpuMicros(pid)
  const { own } = statOf(pid) ?? { own: 0 }
  return own * microsPerTick
}

/** CPU time of a process and all that it has started, those included that have ended. */
export function treeCpuMicrosOf(pid: number): number {
  if (process.platform !== 'linux') return NaN
  const root = statOf(pid)
  if (!root) return NaN
  let ticks = root.own + root.ended
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null
    if (stat?.parent === pid) ticks += stat.own + stat.ended
  }
  return ticks * microsPerTick
}

/** Memory of a process that is in the machine's, in megabytes of 2^20. */
export function residentMbOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1_024
}

interface Stat {
  parent: number
  /** Ticks of the process itself, and of its children that have ended. */
  own: number
  ended: number
}

/** Null when the process has just ended. */
function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the name, in brackets, and may hold anything.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [, parent = 0] = fields
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15)
    return { parent, own: user + system, ended: endedUser + endedSystem }
  } catch {
    return null
  }
}

function psCpuMicros(pid: number): number {
  const text = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  const seconds = text.split(/[:-]/).reduce((sum, part) => sum * 60 + Number(part), 0)
  return seconds * 1_000_000
}
