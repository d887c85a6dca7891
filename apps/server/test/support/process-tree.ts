import { readdirSync, readFileSync } from 'node:fs'

/** Processes with all that descend from them, of those that live. */
export function withDescendants(roots: readonly number[]): number[] {
  const parents = new Map<number, number>()
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry)
    if (!pid) continue
    try {
      // After the name, which may hold anything: state and parent.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      parents.set(pid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {
      // It has ended.
    }
  }
  const found = new Set(roots.filter((pid) => parents.has(pid)))
  for (let size = -1; size !== found.size;) {
    size = found.size
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid)
  }
  return [...found]
}

/** Without effect on one that has ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended.
  }
}
