import { tmpdir } from 'node:os'
import { run } from '../../../scripts/clean-room/room.ts'
import type { Room } from './rooms.ts'
import { shuffled } from './timing.ts'

const bareNode = 'bare node'

/** What an import adds to the time of a process that does nothing else, in milliseconds, round by round. */
export async function timeImports(
  rooms: readonly Room[],
  rounds: number,
): Promise<{ bareMs: number[]; addedMs: Map<Room, number[]> }> {
  const bareMs: number[] = []
  const addedMs = new Map<Room, number[]>(rooms.map((room) => [room, []]))
  // The round before the first fills the system's cache of files.
  for (let round = -1; round < rounds; round += 1) {
    const took = new Map<Room | typeof bareNode, number>()
    for (const subject of shuffled([bareNode, ...rooms])) took.set(subject, await timeProcess(subject))
    if (round === -1) continue
    const bare = took.get(bareNode) ?? NaN
    bareMs.push(bare)
    for (const room of rooms) addedMs.get(room)?.push((took.get(room) ?? NaN) - bare)
  }
  return { bareMs, addedMs }
}

async function timeProcess(subject: Room | typeof bareNode): Promise<number> {
  const [code, cwd] =
    subject === bareNode ? ['', tmpdir()] : [`await import('${subject.peer.name}')`, subject.folder]
  const startMs = performance.now()
  await run(process.execPath, ['--input-type=module', '-e', code], { cwd })
  return performance.now() - startMs
}
