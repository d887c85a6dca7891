import { vi } from 'vitest'
import { main } from '../../src/bin/ratecard.ts'
import type { CommandResult } from './process.ts'

/** Runs a command in this process, which takes a tenth of the time of one of its own. */
export async function runHere(args: string[]): Promise<CommandResult> {
  const result: CommandResult = { exitCode: 0, stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      result[name] += String(text)
      return true
    }),
  )
  try {
    await main(args)
    return { ...result, exitCode: Number(process.exitCode ?? 0) }
  } finally {
    process.exitCode = undefined
    for (const spy of spies) spy.mockRestore()
  }
}
