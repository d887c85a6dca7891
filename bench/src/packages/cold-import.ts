import { tmpdir } from 'node:os'
import { run } from '../../../scripts/packages/programs.ts'
import type { Room } from './rooms.ts'
import { shuffled } from './timing.ts'

/** Milliseconds of a whole process. */
export interface ProcessTime {
  elapsedMs: number
  /** Of all its threads: what else the machine does moves it least. */
  cpuMs: number
}

const bareNode = 'bare node'
const tellCpu = 'const { user, system } = process.cpuUsage(); console.log((user + system) / 1000)'

/** What an import adds to the time of a process that does nothing else, round by round. */
export async function timeImports(
  rooms: readonly Room[],
  rounds: number,
): Promise<{ bare: ProcessTime[]; added: Map<Room, ProcessTime[]> }> {
  const bare: ProcessTime[] = []
  const added = new Map<Room, ProcessTime[]>(rooms.map((room) => [room, []]))
  // The round before the first fills the system's cache of files.
  for (let round = -1; round < rounds; round += 1) {
    const took = new Map<Room | typeof bareNode, ProcessTime>()
    for (const subject of shuffled<Room | typeof bareNode>([bareNode, ...rooms]))
      took.set(subject, await timeProcess(subject))
    const ofBare = took.get(bareNode)
    if (round === -1 || !ofBare) continue
    bare.push(ofBare)
    for (const room of rooms) {
      const { elapsedMs = NaN, cpuMs = NaN } = took.get(room) ?? {}
      added.get(room)?.push({ elapsedMs: elapsedMs - ofBare.elapsedMs, cpuMs: cpuMs - ofBare.cpuMs })
    }
  }
  return { bare, added }
}

async function timeProcess(subject: Room | typeof bareNode): Promise<ProcessTime> {
  const isBare = subject === bareNode
  const code = `${isBare ? '' : `await import('${subject.peer.name}'); `}${tellCpu}`
  const startMs = performance.now()
  const cpuText = await run(process.execPath, ['--input-type=module', '-e', code], {
    cwd: isBare ? tmpdir() : subject.folder,
  })
  return { elapsedMs: performance.now() - startMs, cpuMs: Number(cpuText) }
}
