import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem, type, release } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { now } from './processes.ts'

/** Where and with what something was measured. */
export interface Machine {
  date: string
  processor: string
  cores: number
  memoryGb: number
  system: string
  versions: Record<string, string>
}

export function describeMachine(versions: Record<string, string> = {}): Machine {
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

const windowMs = 100
/** Share of a window's processor time. */
const stolenMost = 0.05

/**
 * Notes when the host took more than a twentieth of the processors' time away, until it is disposed of: that says
 * nothing about what is measured. Elsewhere than on Linux it notes nothing.
 */
export function watchStolenTime() {
  const windows: { fromMs: number; untilMs: number }[] = []
  let last = { ...readTicks(), ms: now() }
  const timer = setInterval(() => {
    const { ms: fromMs, ...before } = last
    last = { ...readTicks(), ms: now() }
    const stolen = (last.stolen - before.stolen) / Math.max(1, last.all - before.all)
    // A timer that comes late was held up as well.
    if (stolen > stolenMost || last.ms - fromMs > 2 * windowMs) windows.push({ fromMs, untilMs: last.ms })
  }, windowMs)
  return {
    /** Asked of the moment at which a request was due: by its whole time a slow one would be left out sooner. */
    has: (ms: number) => windows.some(({ fromMs, untilMs }) => ms >= fromMs - windowMs && ms < untilMs),
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

/** Processor time of all cores since the machine started, in hundredths of a second: proc_stat(5). */
function readTicks(): { all: number; idle: number; stolen: number } {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1)
    const [, ...ticks] = line.split(/\s+/).map(Number)
    // The last two are counted within the first two.
    const all = ticks.slice(0, 8).reduce((sum, some) => sum + some, 0)
    return { all, idle: ticks[3] ?? 0, stolen: ticks[7] ?? 0 }
  } catch {
    return { all: 0, idle: 0, stolen: 0 }
  }
}
