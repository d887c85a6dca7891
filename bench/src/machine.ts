import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem, type, release } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { readTicks } from './stolen-time.ts'

/** Where and with what something was measured. */
export interface Machine {
  date: string
  processor: string
  cores: number
  memoryGb: number
  system: string
  versions: Record<string, string>
}

export function describeMachine(versions: Record<string, string>): Machine {
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
      const manifest = new URL(`../node_modules/${name}/package.json`, import.meta.url)
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
