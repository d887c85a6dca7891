import { readEnvironment } from './environment.ts'
import type { Hooks } from './hooks.ts'

/**
 * What `RATECARD_LOG` asks for: `debug` prints every request, answer, pause and end to stderr, `info` the pauses and ends.
 * Undefined when it asks for nothing.
 */
export function logHooks(): Hooks | undefined {
  const level = readEnvironment('RATECARD_LOG')
  if (level !== 'debug' && level !== 'info') return undefined
  const [onRetry, onEnd] = [print('retry'), print('end')]
  if (level === 'info') return { onRetry, onEnd }
  return { onRequest: print('request'), onResponse: print('response'), onRetry, onEnd }
}

/** One line for one view, as JSON, so that nothing in it can begin a line of its own. */
function print(step: string): (view: object) => void {
  // To stderr: what a program prints to stdout is its result.
  return (view) => console.error(`ratecard ${step} ${JSON.stringify(view, plainError)}`)
}

/** An error in short. Its body may be long. */
function plainError(this: Record<string, unknown>, name: string, value: unknown): unknown {
  // `value` has been through toJSON.
  return this[name] instanceof Error ? String(this[name]) : value
}
