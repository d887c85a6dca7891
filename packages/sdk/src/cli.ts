#!/usr/bin/env node
import { parseCommand, UsageError } from './cli/arguments.ts'
import { help } from './cli/help.ts'
import { listen } from './cli/listen.ts'
import { printer } from './cli/output.ts'
import { trigger } from './cli/trigger.ts'
import { RatecardError, RequestAbortedError } from './index.ts'
import { version } from './version.ts'

// Change alerts on a developer's machine, without a tunnel and without an address on the internet.

const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stopped.abort())
}

process.exitCode = await run(process.argv.slice(2))

/** @returns 0: all was taken; 1: something was not, or the service refused; 2: the command makes no sense */
async function run(args: readonly string[]): Promise<number> {
  try {
    const command = parseCommand(args, process.env)
    if (command.name === 'help') {
      process.stdout.write(help(command.of))
      return 0
    }
    if (command.name === 'version') {
      process.stdout.write(`${version}\n`)
      return 0
    }
    const print = printer(command.json)
    const areTaken =
      command.name === 'trigger'
        ? await trigger(command, print, stopped.signal)
        : await listen(command, print, stopped.signal)
    return areTaken ? 0 : 1
  } catch (error) {
    // Ctrl+C is how it is meant to end.
    if (error instanceof RequestAbortedError || stopped.signal.aborted) return 0
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\nSee "ratecard-sdk --help".\n`)
      return 2
    }
    if (!(error instanceof RatecardError)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  }
}
