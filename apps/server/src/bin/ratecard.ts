import { CommanderError } from 'commander'
import { createProgram } from '../commands/index.ts'
import { UserError } from '../platform/user-error.ts'

// A reader that has seen enough, such as `head`, closes the pipe: no fault, and nothing more to say.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

/** Runs the command line. Exit codes: 0 done, 1 failed, 2 used wrongly. */
export async function main(args = process.argv.slice(2)): Promise<void> {
  const json = args.includes('--json')
  try {
    await createProgram().parseAsync(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return
    const failure = asFailure(error)
    const text = json
      ? JSON.stringify({ error: failure.name, message: failure.message })
      : `Error: ${failure.message}`
    process.stderr.write(`${text}\n`)
    process.exitCode = failure.exitCode
  }
}

interface Failure {
  name: 'invalid_usage' | 'failed' | 'internal_error'
  message: string
  exitCode: 1 | 2
}

function asFailure(error: unknown): Failure {
  if (error instanceof CommanderError) {
    // A group without a command: its help is on stderr by now.
    const message =
      error.code === 'commander.help' ? 'No command given.' : error.message.replace(/^error: /, '')
    return { name: 'invalid_usage', message: `${message}\nAdd --help to see how it is used.`, exitCode: 2 }
  }
  if (error instanceof UserError) {
    return {
      name: error.exitCode === 2 ? 'invalid_usage' : 'failed',
      message: error.message,
      exitCode: error.exitCode,
    }
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return {
    name: 'internal_error',
    message: `This is a fault of ours, please report it.\n${detail}`,
    exitCode: 1,
  }
}
