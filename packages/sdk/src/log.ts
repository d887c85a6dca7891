import { readEnvironment } from './environment.ts'
import type { Hooks } from './hooks.ts'

/** What `RATECARD_LOG=debug` asks for: a line to stderr for each request, answer, pause and end. */
export function logHooks(): Hooks | undefined {
  return readEnvironment('RATECARD_LOG') === 'debug'
    ? {
        onRequest: print('request'),
        onResponse: print('response'),
        onRetry: print('retry'),
        onEnd: print('end'),
      }
    : undefined
}

/** One line for one view, as JSON: nothing in it can begin a line of its own. */
function print(step: string): (view: object) => void {
  // To stderr: what a program prints to stdout is its result.
  return (view) => console.error(`ratecard ${step} ${JSON.stringify(view, plainError)}`)
}

/** An error in short. Its body may be long. */
function plainError(this: Record<string, unknown>, name: string, value: unknown): unknown {
  // `value` has been through toJSON.
  return this[name] instanceof Error ? String(this[name]) : value
}
